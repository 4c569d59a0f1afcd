import type { CommittedEvents, Stores } from '../domain/stores/stores.ts'
import type { Database, LostWrite, PoolStats, Warn } from './database.ts'
import type { DatabaseLocation } from './database-location.ts'
import type { Engine } from './engine.ts'
import { type KeyChecks, keyChecks } from './key-checks.ts'
import { afterRestore, type Restoring, type SignedOut } from './restored.ts'
import { openSqlite } from './sqlite/open.ts'
import { storesOn } from './stores.ts'
import { Transactions } from './transactions.ts'
import { rejectUnservedTenants } from './unserved-tenants.ts'

export interface StorageOptions {
  readonly database: DatabaseLocation
  /** Heard after every commit of ours that has something to tell, and for what other processes committed. */
  publish(announcements: CommittedEvents): void
  /** For the log. */
  readonly warn: Warn
  /** The process should end: what the disk holds is unknown. PostgreSQL sees to that itself. */
  readonly lostWrite?: LostWrite
  /** This machine's clock minus PostgreSQL's, whenever it was measured: before `follow` resolves, then every second. */
  clockMeasured?(skewMs: number): void
  now?(): number
}

export interface Storage {
  readonly stores: Stores
  readonly keyChecks: KeyChecks
  readonly engine: Engine
  /** Announces every unexpired notice, then what others commit. Resolves when caught up; rejects when it cannot load. */
  follow(): Promise<void>
  /** Looks for what others committed, now. */
  catchUp(): Promise<void>
  /** For how long nothing was heard from the database; 0 while the feed works. */
  staleForMs(): number
  /** This machine's clock minus the database's. */
  clockSkewMs(): number
  poolStats(): PoolStats | null
  /** For the operator, when this database comes from a backup. */
  restored(restoring: Restoring): Promise<SignedOut>
  /** Waits for work in flight. What comes later is Unavailable. */
  close(): Promise<void>
}

/** The database, migrated and ready; nothing is followed before `follow()`. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { warn, now = Date.now, clockMeasured = () => {} } = options
  const database = await openDatabase(options)

  // A listener that throws must not make a commit look like a failure.
  const publish = (announcements: CommittedEvents): void => {
    try {
      options.publish(announcements)
    } catch (error) {
      warn('what was committed could not be announced', error)
    }
  }
  const feed = database.feed({ publish, warn, clockMeasured, now })
  const transactions = new Transactions(database, {
    warn,
    publish(announcements) {
      publish(announcements)
      feed.wake(announcements.changedTenants)
    },
  })

  return {
    stores: storesOn(database, transactions),
    keyChecks: keyChecks(transactions.outside),
    engine: database.engine,
    follow: () => feed.follow(),
    catchUp: () => feed.catchUp(),
    staleForMs: () => feed.staleForMs(),
    clockSkewMs: () => feed.clockSkewMs(),
    poolStats: () => database.poolStats(),
    restored: (restoring) => afterRestore(transactions.outside, restoring, now()),
    async close() {
      await feed.close()
      await database.close()
    },
  }
}

async function openDatabase({ database, warn, lostWrite = () => {} }: StorageOptions): Promise<Database> {
  if (database.engine === 'sqlite') return openSqlite(database.file, warn, { lostWrite })
  // Loaded only when it is needed: most first starts are on SQLite.
  const { openPostgres } = await import('./postgres/open.ts')
  const postgres = await openPostgres(database.url, warn)
  if (database.leftoverFile === undefined) return postgres
  try {
    await rejectUnservedTenants(postgres, database.leftoverFile)
    return postgres
  } catch (error) {
    await postgres.close()
    throw error
  }
}
