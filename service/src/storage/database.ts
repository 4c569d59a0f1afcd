import type { Kysely } from 'kysely'
import type { Refresh } from '../domain/sessions/session.ts'
import type { Engine } from './engine.ts'
import type { Feed, FeedOptions } from './feed.ts'
import type { Refreshed } from './sessions/refreshed.ts'
import type { Tables } from './tables/tables.ts'

/** The migrated database of this process, on either engine. */
export interface Database {
  readonly engine: Engine
  /** For reads outside a transaction. */
  readonly read: Kysely<Tables>
  /** For writes outside a transaction. */
  readonly write: Kysely<Tables>
  /** For statements of a login in progress. On SQLite they resolve before they are durable, as `commitEarly` does. */
  readonly writeEarly: Kysely<Tables>
  begin(): Promise<OpenTransaction>
  /** Rotates one session: sqlite/refresh.ts and postgres/refresh.ts. */
  refresh(refresh: Refresh): Promise<Refreshed>
  /** Looks up commits whose response was lost. null: commits on this engine always return their outcome. */
  readonly inDoubt: InDoubt | null
  /** Reads what other processes commit. */
  feed(options: FeedOptions): Feed
  /** Removes the content of deleted rows from the files, as far as the engine can (docs/storage.md). */
  eraseDeleted(rows?: 'few'): Promise<void>
  /** Reads from the database. Throws Unavailable if that fails, or if the server is a standby. */
  ping(): Promise<void>
  /** Fails if the disk has no room for more than a small write, which may fit into the file as it is. */
  tryGrowth(): Promise<void>
  /** The history that the database continues; null on SQLite, where one file is one history. */
  readonly lineage: DatabaseLineage | null
  /** Servers of DATABASE_URL that accept writes, as far as known; null on SQLite. More than one is a fault. */
  primaries(): number | null
  /** How long ago this process was sure to read from the primary; 0 while it is, and with one host in DATABASE_URL. */
  unprovenForMs(): number
  poolStats(): PoolStats | null
  /** Read in the background from the first call on. null: not known yet, or not replicated by this engine. */
  replicationStats(): ReplicationStats | null
  /** Waits for running work; later calls throw Unavailable. */
  close(): Promise<void>
}

/** One of `commit`, `commitEarly` and `rollBack` ends it. */
export interface OpenTransaction {
  readonly db: Kysely<Tables>
  commit(): Promise<void>
  /** On SQLite, resolves before the commit is durable: a power failure may undo it until `durable` resolves. */
  commitEarly(): Promise<{ readonly durable: Promise<void> }>
  rollBack(): Promise<void>
}

export interface InDoubt {
  /** Identifies the open transaction. */
  idOf(transaction: Kysely<Tables>): Promise<string>
  /** Waits a few seconds for a transaction that is still running or a database that is unreachable. */
  outcomeOf(id: string): Promise<'committed' | 'rolled back' | 'unknown'>
}

export interface DatabaseLineage {
  /** PostgreSQL's timeline, which grows by one when a standby is promoted; null before the first connection. */
  readonly timeline: number | null
  /** Why no server may be used, although some accept writes. */
  readonly refusal: string | null
  /** Calls `changed` each time the database is replaced by one that may lack its last changes. */
  onChange(changed: () => void): void
}

export interface PoolStats {
  readonly size: number
  readonly idle: number
  readonly waiting: number
}

export interface ReplicationStats {
  /** Standbys that stream from this server. */
  readonly standbys: number
  /** Those that a commit may wait for. null: the role may not see it. */
  readonly synchronous: number | null
}

/** For the log. */
export type Warn = (message: string, error?: unknown) => void

/** Called when an fsync fails (`isLostWrite`). */
export type LostWrite = (error: unknown) => void
