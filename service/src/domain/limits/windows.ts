const MINUTE_MS = 60_000

/** A minute bucket is a UTC minute, a month bucket a UTC calendar month (decision 21). */
export const minuteStart = (now: number): number => now - (now % MINUTE_MS)

export function monthStart(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export const minuteEnd = (now: number): number => minuteStart(now) + MINUTE_MS

export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
