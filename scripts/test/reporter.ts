import { inspect } from 'node:util'
import { eventLine } from './events.ts'

interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly file?: string
    readonly skip?: string | boolean
    readonly details?: { readonly duration_ms: number; readonly type?: string; readonly error?: TestError }
  }
}

type TestError = Error & { readonly failureType?: string }

/** Writes each finished test as a line for scripts/test/run-files.ts, which passes this file as the reporter. */
// biome-ignore lint/style/noDefaultExport: Node requires the reporter as a default export.
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, file = '', skip, details } = data
    const error = type === 'test:fail' ? details?.error : undefined
    // Count neither suites nor tests that failed only because of a subtest.
    if (details?.type === 'suite' || error?.failureType === 'subtestsFailed') continue
    const outcome = type === 'test:fail' ? 'failed' : skip === undefined || skip === false ? 'passed' : 'skipped'
    const cause = error === undefined ? {} : { error: inspect(error.cause ?? error) }
    const reason = typeof skip === 'string' ? { reason: skip } : {}
    yield eventLine({ outcome, name, file, ms: details?.duration_ms ?? 0, ...cause, ...reason })
  }
}
