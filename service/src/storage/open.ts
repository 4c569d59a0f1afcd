import { sql } from 'kysely'
import type { CommittedEvents, Stores } from '../domain/stores/stores.ts'
import type { Instant } from '../domain/time.ts'
import type { Access } from './access.ts'
import type { Database, LostWrite, Warn } from './database.ts'
import { type DatabaseLocation, rejectMissingDatabase } from './database-location.ts'
import type { Feed } from './feed.ts'
import { afterRestore, type Restoring, type SignedOut } from './maintenance/restored.ts'
import { rejectMoved } from './postgres/service-lock.ts'
import { openSqlite } from './sqlite/open.ts'
import { storesOn } from './stores.ts'
import { type StorageTiming, TIMING } from './timing.ts'
import { Transactions } from './transactions.ts'
import { rejectUnservedTenants } from './unserved-tenants.ts'
import { WriteHealth } from './write-health.ts'

export interface StorageOptions {
  readonly database: DatabaseLocation
  /** Called after each commit with events, of this process and of others. */
  publish(events: CommittedEvents): void
  /** For the log. */
  readonly warn: Warn
  /** Called when an fsync of the SQLite file fails: the process must exit. PostgreSQL handles this itself. */
  readonly lostWrite?: LostWrite
  /** Called with this machine's clock minus PostgreSQL's: before `follow` resolves, then at every poll. */
  clockMeasured?(skewMs: number): void
  /** Called when PostgreSQL was replaced by a server that may lack its last changes: everything in memory is outdated. */
  databaseReplaced?(): void
  now?(): number
  /** For tests. */
  readonly timing?: Partial<StorageTiming>
}

type OfDatabase = 'engine' | 'primaries' | 'unprovenForMs' | 'poolStats' | 'replicationStats'

export interface Storage
  extends Pick<Database, OfDatabase>,
    Pick<Feed, 'follow' | 'catchUp' | 'staleForMs' | 'clockSkewMs'> {
  readonly stores: Stores
  readonly keyChecks: KeyChecks
  /** PostgreSQL's timeline; null on SQLite. */
  timeline(): number | null
  /** A request got 503: `problem` tries a write. */
  requestFailed(): void
  /** Why reads or writes fail now; null if they work. */
  problem(): Promise<string | null>
  /** For the operator, once, after restoring this database from a backup. */
  restored(restoring: Restoring): Promise<SignedOut>
  /** Waits for running work; later calls throw Unavailable. */
  close(): Promise<void>
}

/** Changes no value, and needs a commit. */
const WRITE_NOTHING = sql`update key_checks set proof = proof where kid = (select min(kid) from key_checks)`

/** Opens and migrates the database. The feed starts with `follow()`. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { warn, now = Date.now, clockMeasured = () => {} } = options
  const timing = { ...TIMING, ...options.timing }
  const database = await openDatabase(options, timing)

  // A subscriber that throws must not make a commit look like a failure.
  const publish = (events: CommittedEvents): void => {
    try {
      options.publish(events)
    } catch (error) {
      warn('committed events could not be published', error)
    }
  }
  if (options.databaseReplaced !== undefined) {
    database.lineage?.onChange(options.databaseReplaced)
  }
  const feed = database.feed({ publish, warn, clockMeasured, now })
  const transactions = new Transactions(database, {
    warn,
    retryMs: timing.conflictRetryMs,
    publish(events) {
      publish(events)
      feed.wake(events.changedTenants)
    },
  })

  const health = new WriteHealth(
    () => database.ping(),
    async () => {
      await transactions.run(({ write }) => WRITE_NOTHING.execute(write))
      await database.tryGrowth()
    },
  )

  return {
    stores: storesOn(database, transactions),
    keyChecks: keyChecks(transactions.outside, now),
    engine: database.engine,
    follow: () => feed.follow(),
    catchUp: () => feed.catchUp(),
    staleForMs: () => feed.staleForMs(),
    clockSkewMs: () => feed.clockSkewMs(),
    timeline: () => database.lineage?.timeline ?? null,
    primaries: () => database.primaries(),
    unprovenForMs: () => database.unprovenForMs(),
    requestFailed: () => health.suspect(),
    problem: async () => database.lineage?.refusal ?? health.problem(),
    poolStats: () => database.poolStats(),
    replicationStats: () => database.replicationStats(),
    restored: (restoring) => afterRestore(transactions.outside, restoring, now()),
    async close() {
      await feed.close()
      await database.close()
    },
  }
}

async function openDatabase(options: StorageOptions, timing: StorageTiming): Promise<Database> {
  const { database, warn, lostWrite = () => {} } = options
  if (database.engine === 'sqlite') {
    if (database.keyFile !== undefined) {
      rejectMissingDatabase(database.file, database.keyFile)
    }
    return openSqlite(database.file, { warn, lostWrite, timing })
  }
  // Imported only if needed: a start on SQLite does not load pg.
  const { openPostgres } = await import('./postgres/open.ts')
  const postgres = await openPostgres(database, { warn, timing })
  try {
    await rejectMoved({
      query: (text) => sql.raw<Record<string, unknown>>(text).execute(postgres.read),
    })
    if (database.leftoverFile !== undefined) {
      await rejectUnservedTenants(postgres, database.leftoverFile)
    }
    return postgres
  } catch (error) {
    await postgres.close()
    throw error
  }
}

/** A proof of each master key that was used with this database, to detect a start with the wrong key file. */
interface KeyChecks {
  list(): Promise<{ kid: string; check: string }[]>
  /** Returns when it was added first. Throws if the key id is stored with another check. */
  add(kid: string, check: string): Promise<Instant>
}

function keyChecks(access: Access, now: () => Instant): KeyChecks {
  return {
    async list() {
      const rows = await access.read
        .selectFrom('key_checks')
        .select(['kid', 'proof'])
        .orderBy('kid')
        .execute()
      return rows.map(({ kid, proof }) => ({ kid, check: proof }))
    },

    async add(kid, check) {
      const known = await access.inTransaction(async ({ write }) => {
        await write
          .insertInto('key_checks')
          .values({ kid, proof: check, added_at: now() })
          .onConflict((conflict) => conflict.column('kid').doNothing())
          .execute()
        return write
          .selectFrom('key_checks')
          .select(['proof', 'added_at'])
          .where('kid', '=', kid)
          .executeTakeFirstOrThrow()
      })
      if (known.proof !== check) {
        throw new Error(`key id ${kid} belongs to another master key in this database`)
      }
      return known.added_at
    },
  }
}
