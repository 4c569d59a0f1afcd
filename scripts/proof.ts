import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { idsOf, problemsOf, proofPage, proofsOfRepository } from './proof/clauses.ts'

// Writes docs/proof from its sources and the comments of tests.

const ROOT = path.resolve(import.meta.dirname, '..')
const SOURCES = ['docs/proof/clauses.txt', 'docs/proof/security.txt']

/** The generated pages by file. */
export function generatedPages(): ReadonlyMap<string, string> {
  const proofs = proofsOfRepository(ROOT)
  return new Map(
    SOURCES.map((source) => [
      source.replace(/\.txt$/, '.md'),
      proofPage(readFileSync(path.join(ROOT, source), 'utf8'), proofs),
    ]),
  )
}

/** Ids of tests that do not exist, and clauses without a test. */
export function proofProblems(): readonly string[] {
  const ids = SOURCES.flatMap((source) => idsOf(readFileSync(path.join(ROOT, source), 'utf8')))
  return problemsOf(ids, proofsOfRepository(ROOT))
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, page] of generatedPages()) {
    writeFileSync(path.join(ROOT, file), page)
  }
}
