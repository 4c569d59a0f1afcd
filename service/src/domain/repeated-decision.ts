import type { Duration, Instant } from './time.ts'

/**
 * A decision that the same browser sends again within this time, after a double click or a lost response, gets the result
 * of the first one and changes nothing (decision 43).
 */
const REPEATED_DECISION_MS: Duration = 60_000

/** Until then, a row that was decided must be kept. */
export const repeatableUntil = (decidedAt: Instant): number => decidedAt + REPEATED_DECISION_MS

export const isRepeatable = (decidedAt: Instant, now: Instant): boolean =>
  now < repeatableUntil(decidedAt)
