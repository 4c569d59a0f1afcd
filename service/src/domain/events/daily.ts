import type { AuthEventKind } from '@gatehouse/contract'
import type { Duration, Instant } from '../time.ts'

const DAYS_SHOWN = 30
const DAY_MS: Duration = 24 * 3_600_000

/** One day of a project, in UTC. */
export interface Daily {
  readonly day: string
  readonly logins: number
  readonly refreshes: number
  readonly logouts: number
  readonly failures: number
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The first of the days that are shown, today being the last. */
export const firstDay = (now: Instant): string => dayOf(now - (DAYS_SHOWN - 1) * DAY_MS)

type Count = Exclude<keyof Daily, 'day'>

/** A start or a "no" is neither a login nor a failure: those are not drawn. */
const COLUMN: Partial<Record<AuthEventKind, Count>> = {
  authorize: 'logins',
  token_refreshed: 'refreshes',
  logout: 'logouts',
  login_failed: 'failures',
}

/** Every day that is shown, also those on which nothing happened: a gap in a chart looks like missing data. */
export function dailyFrom(
  tallies: readonly { readonly day: string; readonly event: AuthEventKind; readonly count: number }[],
  now: Instant,
): Daily[] {
  return Array.from({ length: DAYS_SHOWN }, (_, at) => {
    const day = dayOf(now - (DAYS_SHOWN - 1 - at) * DAY_MS)
    const counts: Record<Count, number> = { logins: 0, refreshes: 0, logouts: 0, failures: 0 }
    for (const tally of tallies) {
      const column = COLUMN[tally.event]
      if (tally.day === day && column !== undefined) counts[column] += tally.count
    }
    return { day, ...counts }
  })
}
