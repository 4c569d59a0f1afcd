import type { Instant } from '../time.ts'
import type { LimitedCharge } from './allowance.ts'

/** What is left of the allowance that a caller feels first; becomes the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'month' | 'lifetime'
  readonly limit: number
  readonly left: number
  /** null: it does not come back. */
  readonly resetsAt: Instant | null
}

/** What is left of a minute when so much of it is used. */
export const rateLeft = ({ limit, resetsAt }: Pick<LimitedCharge, 'limit' | 'resetsAt'>, used: number): Rate => ({
  window: 'minute',
  limit,
  left: Math.max(0, limit - used),
  resetsAt,
})
