import { whenFirstUsed } from './when-first-used.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = (365.25 / 12) * DAY_MS
const YEAR_MS = 365.25 * DAY_MS

// A unit begins at two of itself, so that a day old is "30 hours ago" and not a vague "1 day ago".
const UNITS = [
  [2 * YEAR_MS, YEAR_MS, 'year'],
  [2 * MONTH_MS, MONTH_MS, 'month'],
  [2 * DAY_MS, DAY_MS, 'day'],
  [HOUR_MS, HOUR_MS, 'hour'],
  [MINUTE_MS, MINUTE_MS, 'minute'],
] as const

/** The clocks of two instances differ a little: what one of them just wrote did not happen in the future. */
const SKEW_MS = 5_000

const english = whenFirstUsed(() => new Intl.RelativeTimeFormat('en'))

/** "3 hours ago", "in 2 days". Rounded towards now, so that nobody is promised time that they do not have. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now)
  for (const [from, length, unit] of UNITS) {
    if (distance >= from) return english().format(Math.sign(at - now) * Math.floor(distance / length), unit)
  }
  return at - now > SKEW_MS ? 'in less than a minute' : 'just now'
}
