import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { idsOf, problemsOf, proofPage, proofsOfRepository } from './proof/clauses.ts'
import { columnsOfRepository, storageDocument } from './proof/columns.ts'

// `npm run proof` writes docs/proof from its sources and the comments of tests, and the columns of docs/storage.md from the
// comments of the row types.

const ROOT = path.resolve(import.meta.dirname, '..')
const SOURCES = ['docs/proof/clauses.txt', 'docs/proof/security.txt']
const STORAGE = 'docs/storage.md'

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

/** The documents that are written, by file. */
export function generatedDocuments(): ReadonlyMap<string, string> {
  const proofs = proofsOfRepository(ROOT)
  const pages = SOURCES.map((source): [string, string] => [
    source.replace(/\.txt$/, '.md'),
    proofPage(read(source), proofs),
  ])
  return new Map([...pages, [STORAGE, storageDocument(read(STORAGE), columnsOfRepository(ROOT))]])
}

/** Ids of tests that do not exist, and clauses without a test. */
export function proofProblems(): readonly string[] {
  const ids = SOURCES.flatMap((source) => idsOf(read(source)))
  return problemsOf(ids, proofsOfRepository(ROOT))
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, text] of generatedDocuments()) {
    writeFileSync(path.join(ROOT, file), text)
  }
}
