import type { Duration, Instant } from '../time.ts'

/**
 * The subject of a limit: a guest tenant, an account (shared by all its tenants), a client address, as a keyed hash, for
 * creating guest tenants, starting logins, registering OAuth clients, starting authorization requests or asking to be
 * removed, or a tenant, for what its key may store in an hour.
 */
type CounterScope = EventScope | `${AddressScope}:${string}` | `${HourlyScope}:${string}`

export type AddressScope =
  | 'guests'
  | 'starts'
  | 'registrations'
  | 'approvals'
  | 'removals'
  | 'searches'

export type HourlyScope =
  | 'feedback'
  | 'claim-links'
  | 'webhook-tests'
  | 'webhook-replays'
  | 'domain-checks'
  | 'provider-tests'

/**
 * `minute` and `hour` reset. The others have one window, which starts at 0: `users` and `projects` count towards a limit,
 * `user-ids` and `audit-ids` number the users and management actions of a tenant. Events have a row of their own
 * (`EventCounts`).
 */
export type CounterWindow = 'minute' | 'hour' | 'users' | 'projects' | 'user-ids' | 'audit-ids'

/** One counter row: the usage of one limit in one window. */
export interface Counter {
  readonly scope: CounterScope
  readonly window: CounterWindow
  /** The start of the window in milliseconds; 0 if it never resets. */
  readonly start: number
}

/** Whose events are counted in one row: a tenant's, or those of all tenants of an account. */
export type EventScope = `tenant:${string}` | `account:${number}`

/** The rows that count the events of a tenant; a guest has one row for both. */
export interface EventScopes {
  /** The tenant's row: the events of its lifetime, and the last event id. */
  readonly own: EventScope
  /** The row with the minute and the month: a guest's own, or its owner's (spec, Limits). */
  readonly shared: EventScope
}

/** All events of a window, and the login starts and the authenticated ones (sign-ins and refreshes) among them. */
export interface WindowCount {
  readonly start: Instant
  readonly used: number
  readonly loginStarts: number
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
  /** Whether the tenant that was named has social login; the next three are about it as well. */
  readonly isProvisioned: boolean
  readonly hasRefusals: boolean
  /** Disabled by the service, not by the owner. */
  readonly hasDisabledWebhook: boolean
  readonly hasFailingProvider: boolean
}

/** More than the clocks of two instances that serve requests differ (readiness in app.ts). */
export const CLOCKS_DIFFER_MS: Duration = 60_000

/**
 * The stored window, if it is the current one, or one that has just begun by the clock of another instance: a request
 * counts there, and the window does not go back. Otherwise the current one, still empty: it begins later than the stored
 * one, or the clock was set back, and a window of the future would not end for as long as the clock was ahead.
 */
export function windowAt(stored: WindowCount, start: Instant, now: Instant): WindowCount {
  const isCurrent = start <= stored.start && stored.start <= now + CLOCKS_DIFFER_MS
  return isCurrent ? stored : { start, used: 0, loginStarts: 0, authenticated: 0 }
}

const MINUTE_MS: Duration = 60_000

/** Windows are UTC minutes, UTC hours and UTC calendar months (decision 13). */
export const minuteStart = (now: Instant): Instant => now - (now % MINUTE_MS)

export const minuteEnd = (now: Instant): Instant => minuteStart(now) + MINUTE_MS

const HOUR_MS: Duration = 3_600_000

export const hourStart = (now: Instant): Instant => now - (now % HOUR_MS)

export const hourEnd = (now: Instant): Instant => hourStart(now) + HOUR_MS

export function monthStart(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function monthEnd(now: Instant): Instant {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** How often each caller did something in this minute, in this process. */
export class MinuteCounts<Caller> {
  #minute = 0
  #counts = new Map<Caller, number>()

  /** Counts one more and returns the sum. */
  add(caller: Caller, now: Instant): number {
    if (minuteStart(now) !== this.#minute) {
      this.#minute = minuteStart(now)
      this.#counts = new Map()
    }
    const count = (this.#counts.get(caller) ?? 0) + 1
    this.#counts.set(caller, count)
    return count
  }
}
