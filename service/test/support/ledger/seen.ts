import type { Transport } from '../transport/http-transport.ts'
import { shapedLikeSecrets } from '../transport/secrets.ts'

/** What came back over the wire in one experiment, whatever it was that asked. */
export class Seen {
  readonly statuses = new Map<number, number>()
  /** Answers that no fault excuses. */
  readonly wrong: string[] = []
  /** Requests that got no answer: a connection that was refused or cut. */
  unanswered = 0
  /** When somebody was refused for now or got no answer, by the monotonic clock. */
  readonly hiccups: number[] = []
  /** How long each answer took, in milliseconds; the newest hundred thousand. */
  readonly took: number[] = []

  over(transport: Transport): Transport {
    return async (url, init) => {
      const began = performance.now()
      try {
        const response = await transport(url, init)
        this.#note(`${init.method} ${url.pathname}`, response)
        this.took.push(performance.now() - began)
        if (this.took.length > 200_000) this.took.splice(0, 100_000)
        return response
      } catch (error) {
        if (isUnanswered(error)) {
          this.unanswered += 1
          this.hiccups.push(performance.now())
        }
        throw error
      }
    }
  }

  #note(what: string, { status, headers }: Response): void {
    this.statuses.set(status, this.count(status) + 1)
    if (status === 503) this.hiccups.push(performance.now())
    if (status >= 500 && status !== 503) this.wrong.push(`${what}: ${status}`)
    if (status === 503 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '') && !what.endsWith('/readyz')) {
      this.wrong.push(`${what}: 503 without Retry-After`)
    }
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  get responses(): number {
    let sum = 0
    for (const count of this.statuses.values()) sum += count
    return sum
  }

  /** `200 × 4312, 503 × 7`. */
  toString(): string {
    const counts = [...this.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
    return [...counts, ...(this.unanswered === 0 ? [] : [`unanswered × ${this.unanswered}`])].join(', ')
  }
}

const CUT = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'])

/** The other side went away; whether it did what was asked, nobody knows. */
export const isUnanswered = (error: unknown): boolean => {
  if (error instanceof AggregateError) return error.errors.every(isUnanswered)
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  return CUT.has(code) || message === 'socket hang up' || message === 'aborted'
}

/** The share of these that is not above the returned number. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Everything in a log that has the shape of a secret of ours; there must be nothing. */
export const secretsIn = (log: string): string[] => shapedLikeSecrets(log).map((secret) => `${secret.slice(0, 12)}…`)
