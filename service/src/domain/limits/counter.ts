/**
 * Whose allowance is spent: a guest tenant's own, its owner's (shared by all their tenants), or that of one network
 * source for making guests, for starting logins, or for registering OAuth clients and sending people to allow them.
 * Sources are keyed hashes.
 */
export type CounterScope = `tenant:${string}` | `account:${number}` | `${AddressScope}:${string}`

export type AddressScope = 'guests' | 'starts' | 'registrations' | 'approvals'

/**
 * `minute` and `month` start anew; `lifetime` and `users` have one window, which starts at 0. The others count, within
 * a month or a lifetime, the events that anybody can cause and the sign-ins that were finished (allowance.ts).
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

/** One row of counting: what has been used of one allowance in one window. */
export interface Counter {
  readonly scope: CounterScope
  readonly window: CounterWindow
  /** When the window began, in milliseconds; 0 for those that never begin anew. */
  readonly start: number
}
