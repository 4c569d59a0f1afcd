import { isDeepStrictEqual } from 'node:util'
import type { RawResponse } from '../response-reader.ts'
import { encodeRequest, type HttpRequest, type Workload } from '../workload.ts'

/** A request, and its expected response: the status, and a JSON body that contains at least these members. */
export interface Exchange {
  readonly request: HttpRequest
  readonly status: number
  readonly contains: unknown
}

/** Repeats a list of requests. */
export function workload(data: unknown, host: string): Workload {
  const list = (data as readonly Exchange[]).map(({ request, ...expected }) => ({
    ...expected,
    bytes: encodeRequest(request, host),
    /** A body that passed the check. Most responses repeat it, and comparing bytes is cheaper than parsing. */
    correctBody: null as Buffer | null,
  }))
  let cursor = 0
  const current: (typeof list)[number][] = []
  return {
    next(connection) {
      const exchange = list[cursor++ % list.length]
      if (exchange === undefined) {
        return null
      }
      current[connection] = exchange
      return exchange.bytes
    },
    problem(connection, response) {
      const exchange = current[connection]
      if (exchange === undefined) {
        return 'a response without a request'
      }
      if (response.status === exchange.status && exchange.correctBody?.equals(response.body)) {
        return null
      }
      const problem = problemOf(response, exchange)
      if (problem === null) {
        exchange.correctBody = Buffer.from(response.body)
      }
      return problem
    },
  }
}

function problemOf(
  response: RawResponse,
  { status, contains }: Pick<Exchange, 'status' | 'contains'>,
): string | null {
  const text = response.body.toString()
  if (response.status === status && includes(JSON.parse(text), contains)) {
    return null
  }
  return `expected ${status} with ${JSON.stringify(contains)}, got ${response.status} with ${text.slice(0, 500)}`
}

/** Whether all expected members are present; further members are allowed. */
function includes(found: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) {
    return isDeepStrictEqual(found, expected)
  }
  if (typeof found !== 'object' || found === null) {
    return false
  }
  return Object.entries(expected).every(([name, value]) =>
    includes((found as Record<string, unknown>)[name], value),
  )
}
