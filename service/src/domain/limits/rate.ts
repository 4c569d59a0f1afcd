import type { Instant } from '../time.ts'
import type { WindowCharge } from './allowance.ts'

/** The rate limit of a request, for the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'hour' | 'month' | 'year'
  readonly limit: number
  readonly left: number
  /** null: does not reset. */
  readonly resetsAt: Instant | null
}

/** The rate of an event of which the minute admits `left` more; null: no limit rejects it. */
export function rateOf(
  { limit, startLimit, resetsAt }: WindowCharge,
  left: number | null,
): Rate | null {
  if (limit === null || left === null) {
    return null
  }
  return { window: 'minute', limit: startLimit ?? limit, left, resetsAt }
}
