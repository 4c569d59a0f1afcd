import type { Transport } from '../transport/http-transport.ts'
import { findSecrets } from '../transport/secrets.ts'

/** Statuses, failures and durations of every request of one fault experiment. */
export class ObservedResponses {
  readonly statuses = new Map<number, number>()
  /** Responses that no fault excuses: a 5xx other than 503, or a 503 without Retry-After. */
  readonly violations: string[] = []
  /** Requests without a response: connection refused or reset. */
  unanswered = 0
  /** The `performance.now()` of every 503 and every request without a response. */
  readonly unavailableAt: number[] = []
  /** Durations of at least the newest hundred thousand responses, in milliseconds. */
  readonly durationsMs: number[] = []

  /** Wraps a transport: observes every response. */
  observe(transport: Transport): Transport {
    return async (url, init) => {
      const began = performance.now()
      try {
        const response = await transport(url, init)
        this.#record(`${init.method} ${url.pathname}`, response)
        this.durationsMs.push(performance.now() - began)
        if (this.durationsMs.length > 200_000) {
          this.durationsMs.splice(0, 100_000)
        }
        return response
      } catch (error) {
        if (isConnectionLost(error)) {
          this.unanswered += 1
          this.unavailableAt.push(performance.now())
        }
        throw error
      }
    }
  }

  #record(what: string, { status, headers }: Response): void {
    this.statuses.set(status, this.count(status) + 1)
    if (status === 503) {
      this.unavailableAt.push(performance.now())
    }
    if (status >= 500 && status !== 503) {
      this.violations.push(`${what}: ${status}`)
    }
    if (
      status === 503 &&
      !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '') &&
      !what.endsWith('/readyz')
    ) {
      this.violations.push(`${what}: 503 without Retry-After`)
    }
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  get responses(): number {
    let sum = 0
    for (const count of this.statuses.values()) {
      sum += count
    }
    return sum
  }

  /** `200 × 4312, 503 × 7`. */
  toString(): string {
    const counts = [...this.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} × ${count}`)
    return [...counts, ...(this.unanswered === 0 ? [] : [`unanswered × ${this.unanswered}`])].join(
      ', ',
    )
  }
}

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** The connection failed: it is unknown whether the service executed the request. */
export const isConnectionLost = (error: unknown): boolean => {
  if (error instanceof AggregateError) {
    return error.errors.every(isConnectionLost)
  }
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  return CONNECTION_ERRORS.has(code) || message === 'socket hang up' || message === 'aborted'
}

/** The smallest of these numbers that at least `share` of them do not exceed (nearest rank). */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Substrings of a log with the format of a Gatehouse secret, truncated for the message. */
export const secretsIn = (log: string): string[] =>
  findSecrets(log).map((secret) => `${secret.slice(0, 12)}…`)
