/** One sabotage of the source: a check removed or weakened in one place, and the tests that must fail. */
export interface Mutant {
  /** What is broken, in one line. */
  readonly name: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
  /** The tests need PostgreSQL; without this they run on SQLite only. */
  readonly postgres?: boolean
}

/** The source with the sabotage applied. Throws if the text that it replaces is not there exactly once. */
export function sabotaged(source: string, { file, find, replace }: Mutant): string {
  const occurrences = source.split(find).length - 1
  if (occurrences !== 1) throw new Error(`${file} contains ${JSON.stringify(find)} ${occurrences} times, not once`)
  return source.replace(find, () => replace)
}
