import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

// A test names what it proves in a comment directly above it: `// proves C021, S003, RFC 9700 4.14`. The ids are those of
// docs/proof/clauses.txt and docs/proof/security.txt, of which each becomes a page that lists the tests below each id.

const ID = /(?:C|S)\d{3}|D\d|(?:ASVS|RFC 9700) \d+(?:\.\d+)+/

/** A test, and the id of one thing that it proves. */
export interface Proof {
  readonly id: string
  /** Relative to the repository. */
  readonly file: string
  readonly title: string
}

/** Every proof that a test of the repository names, by file and place. */
export function proofsOfRepository(root: string): readonly Proof[] {
  const files = globSync('**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  return files.sort().flatMap((file) => proofsIn(file, readFileSync(path.join(root, file), 'utf8')))
}

/** One or more lines of a comment, and the title of the test below them if there is one. */
const NAMED = /((?:^[ \t]*\/\/ proves .*\n)+)(?:[ \t]*test\(\s*(['"`])(.*?)\2,)?/gm

export function proofsIn(file: string, source: string): readonly Proof[] {
  return [...source.matchAll(NAMED)].flatMap(([, comment = '', , title]) => {
    if (title === undefined) {
      throw new Error(`${file}: no test is directly below "${comment.trim()}"`)
    }

    const ids = [...comment.matchAll(/\/\/ proves (.*)/g)].flatMap(([, list = '']) =>
      list.split(', '),
    )
    return ids.map((id) => ({ id, file, title: templateOf(title) }))
  })
}

/** A title without the prefix of its engine; any other value that a loop inserts is an ellipsis. */
const templateOf = (title: string): string =>
  title
    .replace(/\$\{[^}]*\}/g, '…')
    .replace(/^\[[^\]]*\] /, '')
    .replaceAll("\\'", "'")

/** The ids that a source defines, in order. */
export const idsOf = (source: string): readonly string[] =>
  [...source.matchAll(entryPattern())].map(([, id = '']) => id)

/** An entry is an id and a text; the lines that continue it are indented. */
const entryPattern = (): RegExp => new RegExp(`^(${ID.source}) (.+(?:\\n {2}.+)*)`, 'gm')

const HEAD =
  '<!-- Written by `npm run proof` from the source beside this page and the comments of tests. -->\n\n'

/** The page: the source with a heading for each id, and below its text the tests that prove it. */
export function proofPage(source: string, proofs: readonly Proof[]): string {
  const testsById = Map.groupBy(proofs, ({ id }) => id)
  const entries = source.replace(entryPattern(), (_, id: string, text: string) => {
    const tests = (testsById.get(id) ?? []).map(({ file, title }) => `- \`${file} › ${title}\`\n`)
    return `### ${id}\n\n${text.replace(/\n {2}/g, '\n')}\n\n${tests.join('')}`
  })
  return `${HEAD}${entries.replace(/\n{3,}/g, '\n\n').trimEnd()}\n`
}

/** What is wrong with the ids that tests name: unknown ones, and those that no test names. */
export function problemsOf(
  definedIds: readonly string[],
  proofs: readonly Proof[],
): readonly string[] {
  const defined = new Set(definedIds)
  const proven = new Set(proofs.map(({ id }) => id))

  const unknown = proofs
    .filter(({ id }) => !defined.has(id))
    .map(({ id, file, title }) => `${file} › ${title}: ${id} does not exist`)
  const unproven = definedIds.filter((id) => !proven.has(id)).map((id) => `${id}: no test names it`)
  const repeated = definedIds
    .filter((id, at) => definedIds.indexOf(id) !== at)
    .map((id) => `${id}: defined twice`)
  return [...unknown, ...unproven, ...repeated]
}
