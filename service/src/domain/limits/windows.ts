import type { Duration, Instant } from '../time.ts'

const MINUTE_MS: Duration = 60_000

/** Windows are UTC minutes, UTC hours and UTC calendar months (decision 13). */
export const minuteStart = (now: Instant): Instant => now - (now % MINUTE_MS)

const HOUR_MS: Duration = 3_600_000

export const hourStart = (now: Instant): Instant => now - (now % HOUR_MS)

export const hourEnd = (now: Instant): Instant => hourStart(now) + HOUR_MS

export function monthStart(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export const minuteEnd = (now: Instant): Instant => minuteStart(now) + MINUTE_MS

export function monthEnd(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
