import type { PauseReason } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Charge } from './allowance.ts'
import type { CounterWindow } from './counter.ts'

/**
 * Thrown inside a transaction when an allowance is used up, so that everything counted before it is undone. What
 * follows (a pause, an answer) is decided outside, where it can be kept.
 */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
  readonly window: CounterWindow
  readonly limit: number
  readonly resetsAt: Instant | null

  constructor({ counter, limit, resetsAt }: Charge) {
    super(`over the ${counter.window} limit`)
    if (limit === null) throw new Error(`The ${counter.window} allowance has no limit, so it cannot be used up.`)
    this.window = counter.window
    this.limit = limit
    this.resetsAt = resetsAt
  }

  /** The hard caps, whose end pauses a guest; the buckets only make one wait. */
  get pauseReason(): PauseReason | null {
    if (this.window === 'lifetime') return 'lifetime_events'
    if (this.window === 'users') return 'stored_users'
    return null
  }
}
