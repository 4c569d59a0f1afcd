import { isDeepStrictEqual } from 'node:util'
import type { ApiResponse } from '../answer-reader.ts'
import { encoded, type HttpRequest, type Work } from '../work.ts'

/** A request, and what its answer must say: this status, and in its JSON at least these fields. */
export interface Asked {
  readonly request: HttpRequest
  readonly status: number
  readonly says: unknown
}

/** A list of requests, over and over. */
export function work(data: unknown, host: string): Work {
  const list = (data as readonly Asked[]).map(({ request, ...expected }) => ({
    ...expected,
    bytes: encoded(request, host),
    /** An answer that was found right. Most are the same bytes again, and bytes are quickly compared. */
    right: null as Buffer | null,
  }))
  let cursor = 0
  const current: (typeof list)[number][] = []
  return {
    next(lane) {
      const asked = list[cursor++ % list.length]
      if (asked === undefined) return null
      current[lane] = asked
      return asked.bytes
    },
    problem(lane, response) {
      const asked = current[lane]
      if (asked === undefined) return 'an answer that nobody asked for'
      if (response.status === asked.status && asked.right?.equals(response.body)) return null
      const problem = problemOf(response, asked)
      if (problem === null) asked.right = Buffer.from(response.body)
      return problem
    },
  }
}

function problemOf(response: ApiResponse, { status, says }: Pick<Asked, 'status' | 'says'>): string | null {
  const text = response.body.toString()
  if (response.status === status && covers(JSON.parse(text), says)) return null
  return `expected ${status} with ${JSON.stringify(says)}, got ${response.status} with ${text.slice(0, 500)}`
}

/** Everything that is expected is there; there may be more. */
function covers(found: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(found, expected)
  if (typeof found !== 'object' || found === null) return false
  return Object.entries(expected).every(([name, value]) => covers((found as Record<string, unknown>)[name], value))
}
