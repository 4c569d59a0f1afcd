/**
 * The subject of a limit: a guest tenant, an account (shared by all its tenants), a client address, as a keyed hash, for
 * creating guest tenants, starting logins, registering OAuth clients, starting authorization requests or asking to be
 * removed, or a tenant, for what its key may store in an hour.
 */
export type CounterScope =
  | `tenant:${string}`
  | `account:${number}`
  | `${AddressScope}:${string}`
  | `${HourlyScope}:${string}`

export type AddressScope = 'guests' | 'starts' | 'registrations' | 'approvals' | 'removals'

export type HourlyScope =
  | 'feedback'
  | 'claim-links'
  | 'webhook-tests'
  | 'webhook-replays'
  | 'domain-checks'
  | 'provider-tests'

/**
 * `minute`, `hour` and `month` reset. The others have one window, which starts at 0: `lifetime`, `users` and `projects` count
 * towards a limit, `event-ids`, `user-ids` and `audit-ids` number the events, users and management actions of a tenant.
 */
export type CounterWindow =
  | 'minute'
  | 'hour'
  | 'month'
  | 'lifetime'
  | 'users'
  | 'projects'
  | 'event-ids'
  | 'user-ids'
  | 'audit-ids'

/** The value of a counter: all events (or users, or ids), and the authenticated events among them. */
export interface Count {
  readonly used: number
  readonly authenticated: number
}

/** One counter row: the usage of one limit in one window. */
export interface Counter {
  readonly scope: CounterScope
  readonly window: CounterWindow
  /** The start of the window in milliseconds; 0 if it never resets. */
  readonly start: number
}
