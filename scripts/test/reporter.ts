import { inspect } from 'node:util'
import { eventLine } from './events.ts'

interface Reported {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly file?: string
    readonly skip?: string | boolean
    readonly details?: { readonly duration_ms: number; readonly type?: string; readonly error?: ReportedError }
  }
}

type ReportedError = Error & { readonly failureType?: string }

/** Writes each finished test as a line that the runner reads. The group's process is given this file as its reporter. */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter only as the default export of a module.
export default async function* reporter(events: AsyncIterable<Reported>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, file = '', skip, details } = data
    const error = type === 'test:fail' ? details?.error : undefined
    // A suite, or a test that failed only because one inside it did, is no result of its own.
    if (details?.type === 'suite' || error?.failureType === 'subtestsFailed') continue
    const outcome = type === 'test:fail' ? 'failed' : skip === undefined || skip === false ? 'passed' : 'skipped'
    const why = error === undefined ? {} : { error: inspect(error.cause ?? error) }
    yield eventLine({ outcome, name, file, ms: details?.duration_ms ?? 0, ...why })
  }
}
