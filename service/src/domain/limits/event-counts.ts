import type { Instant } from '../time.ts'

/** Whose events are counted in one row: a tenant's, or those of all tenants of an account. */
export type EventScope = `tenant:${string}` | `account:${number}`

/** The rows that count the events of a tenant; a guest has one row for both. */
export interface EventScopes {
  /** The tenant's row: the events of its lifetime, and the last event id. */
  readonly own: EventScope
  /** The row with the minute and the month: a guest's own, or its owner's (spec, Limits). */
  readonly shared: EventScope
}

/** All events of a window, and the authenticated ones among them. */
export interface WindowCount {
  readonly start: Instant
  readonly used: number
  readonly authenticated: number
}

/** The counted events of a tenant. */
export interface EventCounts {
  readonly lifetime: number
  readonly minute: WindowCount
  readonly month: WindowCount
  /** Ids count from 1 for each tenant and never start again. */
  readonly lastEventId: number
}

/**
 * The stored window, if it is the current one or a later one: the clocks of two instances differ slightly, so a request
 * may come with a window that has ended elsewhere. It counts in the later window; a window never goes back. A current
 * window that begins later than the stored one is still empty.
 */
export const windowAt = (stored: WindowCount, start: Instant): WindowCount =>
  stored.start < start ? { start, used: 0, authenticated: 0 } : stored
