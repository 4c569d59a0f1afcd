import type { Instant } from '../time.ts'
import type { Charges } from './allowance.ts'

/** The rate limit of a request, for the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'hour' | 'month' | 'year'
  readonly limit: number
  readonly left: number
  /** null: does not reset. */
  readonly resetsAt: Instant | null
}

/** null: an event that no limit rejects. */
export const rateLeft = (minute: Charges['minute'], used: number): Rate | null =>
  minute.limit === null
    ? null
    : { window: 'minute', limit: minute.limit, left: Math.max(0, minute.limit - used), resetsAt: minute.resetsAt }
