import type { Selectable } from 'kysely'
import type { Charges } from '../../domain/limits/allowance.ts'
import { type EventCounts, windowAt } from '../../domain/limits/counter.ts'
import type { EventCountRow } from '../tables/tenants.ts'

export type StoredCounts = Omit<Selectable<EventCountRow>, 'scope'>

export const NO_COUNTS: StoredCounts = {
  minute_start: 0,
  minute_used: 0,
  minute_authenticated: 0,
  month_start: 0,
  month_used: 0,
  month_authenticated: 0,
  lifetime_used: 0,
  last_event_id: 0,
}

/** The current windows. */
export type Windows = Pick<Charges, 'now'> & Readonly<Record<'minute' | 'month', Pick<Charges['minute'], 'start'>>>

/** The counts of a tenant, from its own row and the row that has its minute and month. */
export function countsFrom(own: StoredCounts, shared: StoredCounts, { minute, month, now }: Windows): EventCounts {
  return {
    lifetime: own.lifetime_used,
    minute: windowAt(
      { start: shared.minute_start, used: shared.minute_used, authenticated: shared.minute_authenticated },
      minute.start,
      now,
    ),
    month: windowAt(
      { start: shared.month_start, used: shared.month_used, authenticated: shared.month_authenticated },
      month.start,
      now,
    ),
    lastEventId: own.last_event_id,
  }
}
