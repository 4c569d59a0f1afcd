import type { Instant } from '../time.ts'
import type { LimitedCharge } from './allowance.ts'

/** The rate limit of a request, for the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'hour' | 'month' | 'year' | 'lifetime'
  readonly limit: number
  readonly left: number
  /** null: does not reset. */
  readonly resetsAt: Instant | null
}

export const rateLeft = ({ limit, resetsAt }: Pick<LimitedCharge, 'limit' | 'resetsAt'>, used: number): Rate => ({
  window: 'minute',
  limit,
  left: Math.max(0, limit - used),
  resetsAt,
})
