/** Row types of limits; see tables.ts. */

import type { Generated } from 'kysely'
import type { CounterWindow, EventScope } from '../../domain/limits/counter.ts'

export interface LimitTables {
  counters: {
    scope: string
    /** The counter's window; `window` is a reserved word in SQL. */
    bucket: CounterWindow
    starts_at: number
    used: number
  }
  /** The events of a tenant, or of all tenants of an account. A column that the scope does not use is 0. */
  event_counts: {
    scope: EventScope
    minute_start: Generated<number>
    minute_used: Generated<number>
    /** The login starts among `minute_used`, and its sign-ins and refreshes. */
    minute_login_starts: Generated<number>
    minute_authenticated: Generated<number>
    month_start: Generated<number>
    month_used: Generated<number>
    month_login_starts: Generated<number>
    month_authenticated: Generated<number>
    lifetime_used: Generated<number>
    last_event_id: Generated<number>
  }
}
