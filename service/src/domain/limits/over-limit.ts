import type { PauseReason } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { ReachedLimit } from './allowance.ts'

/**
 * Thrown inside a transaction when a limit is exceeded, which rolls back all counters. The consequences (a pause, a
 * response) are decided outside of the transaction, so that they are not rolled back.
 */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
  readonly window: ReachedLimit['window']
  readonly limit: number
  /** Whether login starts have used their half of the window. */
  readonly isOfStarts: boolean
  readonly resetsAt: Instant | null

  constructor({ window, limit, isOfStarts, resetsAt }: ReachedLimit) {
    super(`over the ${window} limit`)
    this.window = window
    this.limit = limit
    this.isOfStarts = isOfStarts
    this.resetsAt = resetsAt
  }

  /** Only the hard caps pause a guest tenant; minute and month limits reset. */
  get pauseReason(): PauseReason | null {
    if (this.window === 'lifetime') {
      return 'lifetime_events'
    }
    if (this.window === 'users') {
      return 'stored_users'
    }
    return null
  }
}
