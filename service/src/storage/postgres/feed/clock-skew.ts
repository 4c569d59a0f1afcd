/** A slower response says nothing about the clock. */
const RESPONSE_MAX_MS = 1_000
/** Within a second, the two clocks of one machine differ by less, unless the wall clock was set or the machine suspended. */
const DRIFT_MAX_MS = 100

export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

export const thisMoment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/** By whichever clock shows more: while the machine is suspended, only the wall clock advances. */
export function elapsedSince(earlier: Moment): number {
  const now = thisMoment()
  return Math.max(now.monotonic - earlier.monotonic, now.wall - earlier.wall)
}

/**
 * This machine's clock minus the database's, which was read between the two moments; null if it cannot be determined.
 * Compares the monotonic with the wall clock, because the service's time follows the result: a machine that was suspended
 * during the query would otherwise take the suspension for a difference.
 */
export function skewBetween(sent: Moment, received: Moment, databaseMs: number): number | null {
  const took = received.monotonic - sent.monotonic
  const tookByWall = received.wall - sent.wall
  if (took > RESPONSE_MAX_MS || Math.abs(tookByWall - took) > DRIFT_MAX_MS) {
    return null
  }
  return Math.round(received.wall - took / 2 - databaseMs)
}
