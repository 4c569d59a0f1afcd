import type { Duration, Instant } from '../time.ts'

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

/** What counts towards the limits of a tenant. */
export interface UsedCounts extends EventCounts {
  /** Stored users, of all tenants of the owner. */
  readonly users: number
}

/** More than the clocks of two instances that serve requests differ (readiness in app.ts). */
export const CLOCKS_DIFFER_MS: Duration = 60_000

/**
 * The stored window, if it is the current one, or one that has just begun by the clock of another instance: a request
 * counts there, and the window does not go back. Otherwise the current one, still empty: it begins later than the stored
 * one, or the clock was set back, and a window of the future would not end for as long as the clock was ahead.
 */
export const windowAt = (stored: WindowCount, start: Instant, now: Instant): WindowCount =>
  start <= stored.start && stored.start <= now + CLOCKS_DIFFER_MS ? stored : { start, used: 0, authenticated: 0 }
