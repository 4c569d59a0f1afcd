import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { END_OF_REPORT, eventLine, type TestResult } from './events.ts'

interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly file?: string
    readonly skip?: string | boolean
    readonly details?: {
      readonly duration_ms: number
      readonly type?: string
      readonly error?: TestError
    }
  }
}

type TestError = Error & { readonly failureType?: string }

/**
 * Writes each finished test as a line for scripts/test/run-files.ts, which passes this file as the reporter. Not by `yield`:
 * what Node has not yet written when the process is made to exit would be lost. A test that failed because there is no
 * Chromium (service/test/support/process/global.ts) is skipped.
 */
// biome-ignore lint/style/noDefaultExport: Node requires the reporter as a default export.
// biome-ignore lint/correctness/useYield: Node requires a generator.
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const result = resultOf(event)
    if (result !== null) {
      write(result)
    }
  }
  write({ outcome: 'passed', name: END_OF_REPORT, file: '', ms: 0 })
}

/** null: no result of a test. Neither a suite nor a test that failed only because of a subtest counts. */
function resultOf({ type, data }: TestEvent): TestResult | null {
  if (type !== 'test:pass' && type !== 'test:fail') {
    return null
  }
  const error = type === 'test:fail' ? data.details?.error : undefined
  if (data.details?.type === 'suite' || error?.failureType === 'subtestsFailed') {
    return null
  }

  const test = { name: data.name, file: data.file ?? '', ms: data.details?.duration_ms ?? 0 }
  const { CHROMIUM_MISSING } = process.env
  if (CHROMIUM_MISSING !== undefined && messageOf(error?.cause) === CHROMIUM_MISSING) {
    return { outcome: 'skipped', ...test, reason: CHROMIUM_MISSING }
  }
  if (type === 'test:fail') {
    const cause = error === undefined ? {} : { error: inspect(error.cause ?? error) }
    return { outcome: 'failed', ...test, ...cause }
  }
  return passedOrSkipped(test, data.skip)
}

function passedOrSkipped(
  test: Pick<TestResult, 'name' | 'file' | 'ms'>,
  skip: string | boolean = false,
): TestResult {
  if (skip === false) {
    return { outcome: 'passed', ...test }
  }
  return { outcome: 'skipped', ...test, ...(typeof skip === 'string' ? { reason: skip } : {}) }
}

const messageOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.message : undefined

const STDOUT = 1
/** How long to wait for a reader that is busy. */
const BUSY_MS = 5

function write(result: TestResult): void {
  const bytes = Buffer.from(eventLine(result))
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(STDOUT, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        throw error
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
    }
  }
}
