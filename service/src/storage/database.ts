import type { Kysely } from 'kysely'
import type { Refresh, RefreshOutcome } from '../domain/sessions/refresh.ts'
import type { CommitEvents } from './access.ts'
import type { Engine } from './engine.ts'
import type { Feed, FeedOptions } from './feed.ts'
import type { Tables } from './tables.ts'

/** The database of this process, whatever its engine: migrated, and ready for the stores. */
export interface Database {
  readonly engine: Engine
  /** For reading outside a transaction. */
  readonly read: Kysely<Tables>
  /** For writing, and for transactions. */
  readonly write: Kysely<Tables>
  /** One refresh as a whole. What is in `told` has been committed. */
  refresh(refresh: Refresh): Promise<{ readonly outcome: RefreshOutcome; readonly pendingEvents: CommitEvents }>
  /** How this process learns what other processes committed. */
  feed(options: FeedOptions): Feed
  /** Removes what deleted rows leave behind in the files, as far as the engine can (docs/storage.md). */
  eraseDeleted(): Promise<void>
  poolStats(): PoolStats | null
  /** Waits for work in flight; what comes later is Unavailable. */
  close(): Promise<void>
}

export interface PoolStats {
  readonly size: number
  readonly idle: number
  readonly waiting: number
}

/** For the log. */
export type Warn = (message: string, error?: unknown) => void

/** Told when the disk could not keep what it was given (database-errors.ts). */
export type LostWrite = (error: unknown) => void
