/** What came of one test. */
export interface TestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly name: string
  readonly file: string
  readonly ms: number
  readonly error?: string
}

/** Tells our lines from what tests themselves print to the same stream. */
const MARK = '\u001eresult '

// On a line of its own, even after something that was printed without a line's end.
export const eventLine = (result: TestResult): string => `\n${MARK}${JSON.stringify(result)}\n`

/** The result that a line holds, or null for a line that a test printed. */
export const readLine = (line: string): TestResult | null =>
  line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as TestResult) : null
