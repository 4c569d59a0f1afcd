import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Mutant } from './generate.ts'

/** One check of the program, broken by hand, and a test file that must notice. */
export interface Sabotage {
  /** What is broken. */
  readonly name: string
  readonly file: string
  /** Occurs exactly once in the file. A space stands for any white space, so that several lines of code fit on one. */
  readonly find: string
  readonly replace: string
  readonly test: string
}

/** Generated mutants that change nothing that a test could observe. */
export interface Equivalent extends Pick<Mutant, 'original' | 'mutated'> {
  readonly file: string
  readonly reason: string
}

const CHANGE = /^ {2}(?<file>\S+): (?<before>.+) →(?: (?<after>.*))?$/

/** Each entry of a list is a line and indented lines below it. Lines that start with `#` are headings. */
function entriesOf(list: string): readonly (readonly string[])[] {
  const text = readFileSync(path.join(import.meta.dirname, list), 'utf8')
  const entries = text.split(/\n(?=\S)/).filter((entry) => !entry.startsWith('#'))
  return entries.map((entry) => entry.trimEnd().split('\n'))
}

function changeIn(line: string): { readonly file: string; readonly before: string; readonly after: string } {
  const { file = '', before = '', after = '' } = CHANGE.exec(line)?.groups ?? {}
  if (file === '') throw new Error(`Not "  file: before → after": ${line}`)
  return { file, before, after }
}

export const SABOTAGES: readonly Sabotage[] = entriesOf('sabotages.txt').map(([name = '', change = '', test = '']) => {
  const { file, before, after } = changeIn(change)
  return { name, file, find: before, replace: after, test: test.trim() }
})

export const EQUIVALENTS: readonly Equivalent[] = entriesOf('equivalent.txt').flatMap(([reason = '', ...changes]) =>
  changes.map((line) => {
    const { file, before, after } = changeIn(line)
    return { file, original: before, mutated: after, reason }
  }),
)

/** The source with the sabotage applied. Throws if the text that it replaces is not there exactly once. */
export function sabotaged(source: string, { file, find, replace }: Sabotage): string {
  const pattern = new RegExp(find.split(' ').map(RegExp.escape).join('\\s+'), 'g')
  const occurrences = source.match(pattern)?.length ?? 0
  if (occurrences !== 1) throw new Error(`${file} contains ${JSON.stringify(find)} ${occurrences} times, not once`)
  return source.replace(pattern, () => replace)
}
