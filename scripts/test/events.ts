/** The result of one test. */
export interface TestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly name: string
  readonly file: string
  readonly ms: number
  readonly error?: string
  /** Why a test was skipped. */
  readonly reason?: string
}

/** The names of tests that a worker adds before and after the tests of a file. */
export const START_OF_FILE = '(start of file)'
export const END_OF_FILE = '(end of file)'

/** What fails if a worker can't load a file. */
export const LOADING = 'the file can be loaded'

/** The name of the last result of a process. Without it, some results may be missing. */
export const END_OF_REPORT = '(end of report)'

/** What `process` emits in a worker before it loads a file. */
export const NEXT_FILE = 'next test file'

/** Distinguishes result lines from what tests print to the same stream. */
const PREFIX = '\u001eresult '

// Starts with a line break, because a test may have printed an unfinished line.
export const eventLine = (result: TestResult): string => `\n${PREFIX}${JSON.stringify(result)}\n`

/** Parses a result line; null for a line that a test printed. */
export const readLine = (line: string): TestResult | null =>
  line.startsWith(PREFIX) ? (JSON.parse(line.slice(PREFIX.length)) as TestResult) : null
