import type { Charge } from './allowance.ts'

/** What is left of the allowance that a caller feels first; becomes the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'month' | 'lifetime'
  readonly limit: number
  readonly left: number
  /** null: it does not come back. */
  readonly resetsAt: number | null
}

/** What is left of a minute when so much of it is used. */
export const rateLeft = ({ limit, resetsAt }: Pick<Charge, 'limit' | 'resetsAt'>, used: number): Rate => ({
  window: 'minute',
  limit: limit ?? 0,
  left: Math.max(0, (limit ?? 0) - used),
  resetsAt,
})
