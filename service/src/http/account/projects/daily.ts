/** The counts of one UTC day. */
export interface Day {
  /** `2026-11-15` */
  readonly day: string
  readonly logins: number
  readonly refreshes: number
  readonly logouts: number
  readonly failures: number
  readonly starts: number
  readonly denials: number
}

export type Count = Exclude<keyof Day, 'day'>

export const DAYS_SHOWN = 30

const DAY_MS = 24 * 3_600_000

/** The last days, from the oldest to today. Days without data count zero. */
export function lastDays(daily: readonly Day[], now: number, count = DAYS_SHOWN): Day[] {
  const known = new Map(daily.map((entry) => [entry.day, entry]))
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return known.get(day) ?? { day, logins: 0, refreshes: 0, logouts: 0, failures: 0, starts: 0, denials: 0 }
  })
}

export const totalOf = (days: readonly Day[], field: Count): number => days.reduce((sum, day) => sum + day[field], 0)
