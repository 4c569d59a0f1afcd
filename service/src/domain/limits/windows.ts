import type { Duration, Instant } from '../time.ts'

const MINUTE_MS: Duration = 60_000

/** Windows are UTC minutes and UTC calendar months (decision 21). */
export const minuteStart = (now: Instant): Instant => now - (now % MINUTE_MS)

export function monthStart(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export const minuteEnd = (now: Instant): Instant => minuteStart(now) + MINUTE_MS

export function monthEnd(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
