import type { Of } from './ids.ts'

/** Milliseconds since 1970. Adding a duration gives a plain number, which is accepted as either. */
export type Instant = Of<'instant', number>

/** Milliseconds. The compiler rejects it where an instant is expected: `now - WINDOW_MS`, not `WINDOW_MS`. */
export type Duration = Of<'duration', number>

/** Synchronized machines differ by less. Following every measurement would only add jitter. */
const TOLERANCE_MS = 1_000

/**
 * The time that all instances agree on: this machine's clock, corrected by its skew against the database's. A time window
 * that starts on one instance is checked on another; with two clocks, a lost race could look like a stolen token
 * (decision 38).
 */
export class AgreedClock {
  readonly #machine: () => number
  #skewMs = 0

  constructor(machine: () => number) {
    this.#machine = machine
  }

  /** In milliseconds. May step back. */
  readonly now = (): number => this.#machine() - this.#skewMs

  /** `skewMs`: how far the machine's clock is ahead of the database's. Returns whether the correction changed. */
  adjust(skewMs: number): boolean {
    if (Math.abs(skewMs - this.#skewMs) <= TOLERANCE_MS) {
      return false
    }
    this.#skewMs = skewMs
    return true
  }
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `1 December`: the UTC day, as limits count days and months. */
export function dayInWords(at: Instant): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}
