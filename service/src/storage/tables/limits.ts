/** Row types of limits; see tables.ts. */

import type { Generated } from 'kysely'
import type { CounterWindow, EventScope } from '../../domain/limits/counter.ts'

export interface LimitTables {
  counters: {
    /**
     * `tenant:<id>`, `account:<id>`, a guarded action (`guests:`, `starts:`, …) and the client
     * address, or what a key may store (`feedback:`, `claim-links:`, `webhook-tests:`,
     * `webhook-replays:`, `domain-checks:`, `provider-tests:`) and the tenant. Addresses are
     * hashed.
     */
    scope: string
    /**
     * `minute`, `hour`, `users` or `projects`; `user-ids` and `audit-ids` number the users and
     * management actions of a tenant.
     */
    bucket: CounterWindow
    /** When the window began; 0 for windows that never reset. */
    starts_at: number
    /** How much was used; the last id, for `user-ids` and `audit-ids`. */
    used: number
  }
  /** The events of a tenant, or of all tenants of an account. A column that the scope does not use is 0. */
  event_counts: {
    /** `tenant:<id>` or `account:<id>`. */
    scope: EventScope
    /** When the last minute with an event began; 0 for a tenant that always had an owner. */
    minute_start: Generated<number>
    /** The events of that minute. */
    minute_used: Generated<number>
    /** The login starts among them. */
    minute_login_starts: Generated<number>
    /** The sign-ins and refreshes among them. */
    minute_authenticated: Generated<number>
    /** When the last month with an event began; 0 for a tenant that always had an owner. */
    month_start: Generated<number>
    /** The events of that month. */
    month_used: Generated<number>
    /** The login starts among them. */
    month_login_starts: Generated<number>
    /** The sign-ins and refreshes among them. */
    month_authenticated: Generated<number>
    /** All events of a tenant; 0 for an account. */
    lifetime_used: Generated<number>
    /** The id of a tenant's newest event; 0 for an account. */
    last_event_id: Generated<number>
  }
}
