import type { CommittedEvents } from '../domain/stores/stores.ts'

/** Publishes what other processes commit to the database, so that this process can update its memory. */
export interface Feed {
  /** Publishes every unexpired revocation and then each new one. Resolves when caught up; rejects if loading fails. */
  follow(): Promise<void>
  /** Polls now. Resolves when everything committed before the call is published, or the poll has failed. */
  catchUp(): Promise<void>
  /** Wakes the other processes after a commit of this one. */
  wake(changedTenants: readonly string[]): void
  /** The age of the last successful poll; 0 while the feed is healthy. */
  staleForMs(): number
  /** This machine's clock minus the database's; independent of `now`. */
  clockSkewMs(): number
  close(): Promise<void>
}

export interface FeedOptions {
  publish(events: CommittedEvents): void
  warn(message: string, error?: unknown): void
  /** Called with each measured clock skew: before `follow` resolves, then at every poll. */
  clockMeasured(skewMs: number): void
  now(): number
}

/** Replaces the tenant ids when they are unknown: wakes the long polls of all tenants. */
export const ALL_TENANTS = '*'
