import type { AuthEventKind } from '@gatehouse-auth/contract'
import type { Duration, Instant } from '../time.ts'

const DAYS_SHOWN = 30
const DAY_MS: Duration = 24 * 3_600_000

/** Counts of one UTC day. */
export interface Daily {
  /** `2026-11-15` */
  readonly day: string
  readonly logins: number
  readonly refreshes: number
  readonly logouts: number
  readonly failures: number
  readonly starts: number
  readonly denials: number
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The first day of the period that ends today. */
export const firstDay = (now: Instant, days = DAYS_SHOWN): string =>
  dayOf(now - (days - 1) * DAY_MS)

type Count = Exclude<keyof Daily, 'day'>

const COLUMN: Readonly<Record<AuthEventKind, Count>> = {
  authorize: 'logins',
  token_refreshed: 'refreshes',
  logout: 'logouts',
  login_failed: 'failures',
  login_started: 'starts',
  consent_denied: 'denials',
}

/** One entry for every day, also without events: a gap in a chart would look like missing data. */
export function dailyFrom(
  tallies: readonly {
    readonly day: string
    readonly event: AuthEventKind
    readonly count: number
  }[],
  now: Instant,
  days = DAYS_SHOWN,
): Daily[] {
  return Array.from({ length: days }, (_, at) => {
    const day = dayOf(now - (days - 1 - at) * DAY_MS)
    const counts: Record<Count, number> = {
      logins: 0,
      refreshes: 0,
      logouts: 0,
      failures: 0,
      starts: 0,
      denials: 0,
    }
    for (const tally of tallies) {
      if (tally.day === day) {
        counts[COLUMN[tally.event]] += tally.count
      }
    }
    return { day, ...counts }
  })
}
