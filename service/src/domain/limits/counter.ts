import type { EventScope } from './event-counts.ts'

/**
 * The subject of a limit: a guest tenant, an account (shared by all its tenants), a client address, as a keyed hash, for
 * creating guest tenants, starting logins, registering OAuth clients, starting authorization requests or asking to be
 * removed, or a tenant, for what its key may store in an hour.
 */
export type CounterScope = EventScope | `${AddressScope}:${string}` | `${HourlyScope}:${string}`

export type AddressScope = 'guests' | 'starts' | 'registrations' | 'approvals' | 'removals'

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
