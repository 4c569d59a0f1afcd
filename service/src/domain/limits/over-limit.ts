import type { PauseReason } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Charge } from './allowance.ts'

/**
 * Thrown inside a transaction when a limit is exceeded, which rolls back all counters. The consequences (a pause, a
 * response) are decided outside of the transaction, so that they are not rolled back.
 */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
  readonly window: Charge['window']
  readonly limit: number
  /** Whether the limit applies to the authenticated events alone. */
  readonly authenticated: boolean
  readonly resetsAt: Instant | null

  constructor({ window, limit, authenticated, resetsAt }: Charge) {
    super(`over the ${window} limit`)
    if (limit === null) throw new Error(`The ${window} allowance has no limit, so it cannot be used up.`)
    this.window = window
    this.limit = limit
    this.authenticated = authenticated
    this.resetsAt = resetsAt
  }

  /** Only the hard caps pause a guest tenant; minute and month limits reset. */
  get pauseReason(): PauseReason | null {
    if (this.window === 'lifetime') return 'lifetime_events'
    if (this.window === 'users') return 'stored_users'
    return null
  }
}
