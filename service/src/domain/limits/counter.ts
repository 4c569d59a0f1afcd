/**
 * The subject of a limit: a guest tenant, an account (shared by all its tenants), or a client address, as a keyed hash,
 * for creating guest tenants, starting logins, registering OAuth clients or starting authorization requests.
 */
export type CounterScope = `tenant:${string}` | `account:${number}` | `${AddressScope}:${string}`

export type AddressScope = 'guests' | 'starts' | 'registrations' | 'approvals'

/**
 * `minute` and `month` reset; `lifetime` and `users` have one window, which starts at 0. `open-*` count the
 * unauthenticated events and `finished-*` the finished sign-ins within a month or lifetime (allowance.ts).
 */
export type CounterWindow =
  | 'minute'
  | 'month'
  | 'lifetime'
  | 'users'
  | 'open-month'
  | 'open-lifetime'
  | 'finished-month'
  | 'finished-lifetime'

/** One counter row: the usage of one limit in one window. */
export interface Counter {
  readonly scope: CounterScope
  readonly window: CounterWindow
  /** The start of the window in milliseconds; 0 if it never resets. */
  readonly start: number
}
