/** A slower answer says nothing about the clock. */
const ANSWERS_WITHIN_MS = 1_000
/** Two clocks of one machine do not part by this much in a second, unless one of them was set or stood still. */
const TOGETHER_MS = 100

export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

export const thisMoment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/**
 * This machine's clock minus the database's, which told its time somewhere between the two moments; null when it cannot
 * be known. Both clocks are asked, because our time follows what is found: a machine that slept while the answer was on
 * its way would take the night for a difference.
 */
export function skewBetween(asked: Moment, answered: Moment, databaseMs: number): number | null {
  const took = answered.monotonic - asked.monotonic
  const byTheWall = answered.wall - asked.wall
  if (took > ANSWERS_WITHIN_MS || Math.abs(byTheWall - took) > TOGETHER_MS) return null
  return Math.round(answered.wall - took / 2 - databaseMs)
}
