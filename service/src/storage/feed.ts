import type { CommittedEvents } from '../domain/stores/stores.ts'

/** Follows what other processes commit to one database, so that this one's memory is never far behind. */
export interface Feed {
  /** Announces every unexpired notice, then keeps following. Resolves when caught up; rejects when it cannot load. */
  follow(): Promise<void>
  /** Looks now; resolves when what was committed before has been announced, or could not be read. */
  catchUp(): Promise<void>
  /** Wakes the other processes after a commit of ours that they want to know about. */
  wake(changedTenants: readonly string[]): void
  /** Since when we have heard nothing; 0 while all is well. */
  staleForMs(): number
  /** This machine's clock minus the database's, whatever `now` says. */
  clockSkewMs(): number
  close(): Promise<void>
}

export interface FeedOptions {
  publish(announcements: CommittedEvents): void
  warn(message: string, error?: unknown): void
  /** Told what `clockSkewMs` is whenever it could be measured, before `follow` resolves and then every second. */
  clockMeasured(skewMs: number): void
  now(): number
}

/** Said instead of tenant ids when they are not known: everyone who waits for events looks again. */
export const ALL_TENANTS = '*'
