import { closeSync, fdatasync, openSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { type CompiledQuery, Kysely, Transaction } from 'kysely'
import type { Database, LostWrite, OpenTransaction, Warn } from '../database.ts'
import { migrate } from '../migrate.ts'
import { runDirectly } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import type { StorageTiming } from '../timing.ts'
import { Checkpointer } from './checkpointer.ts'
import { sqliteDialect } from './dialect.ts'
import { queryResult, SqliteDriver } from './driver.ts'
import { type Durability, SyncedLog } from './durability.ts'
import { sqliteFeed } from './feed.ts'
import { openToRead, openToWrite, type SqliteFile } from './file.ts'
import { refreshOnSqlite } from './refresh.ts'

interface SqliteOptions {
  readonly warn: Warn
  readonly lostWrite: LostWrite
  readonly timing: StorageTiming
}

/**
 * Opens two connections. Writes and transactions share one and queue for it. Reads outside a transaction use the other: in
 * WAL mode they see the last commit and need no lock, so a read while a transaction is open cannot deadlock.
 */
export async function openSqlite(
  file: string,
  { warn, lostWrite, timing }: SqliteOptions,
): Promise<Database> {
  const { busyMs, sqlitePollMs, truncateMs } = timing
  const writing = openToWrite(file)
  const log = new WriteAheadLog(file)
  const dataVersion = (): number => dataVersionOf(writing)
  const synced = new SyncedLog({ sync: (done) => log.sync(done), dataVersion, lostWrite })
  const checkpointer = new Checkpointer({
    file,
    logFrames: () => logFramesOf(writing),
    warn,
    lostWrite,
    truncateMs,
  })
  const durability: Durability = {
    seen: () => synced.seen(),
    committed(sync) {
      checkpointer.committed()
      return synced.committed(sync)
    },
  }

  const writer = new SqliteDriver(writing, { durability, lostWrite, busyMs })
  const write = new Kysely<Tables>({ dialect: sqliteDialect(writer) })
  const closeWriter = async (): Promise<void> => {
    await checkpointer.close()
    await writer.destroy()
    await synced.idle()
    log.close()
  }
  try {
    await migrate(write, 'sqlite')
  } catch (error) {
    await closeWriter()
    throw error
  }

  const reader = new SqliteDriver(openToRead(file), { durability, readOnly: true, busyMs })
  const read = new Kysely<Tables>({ dialect: sqliteDialect(reader) })
  const writeEarly = new Kysely<Tables>({ dialect: sqliteDialect(writer) })
  runStatementsDirectly(writer, { read, write, writeEarly })

  return {
    engine: 'sqlite',
    inDoubt: null,
    read,
    write,
    writeEarly,
    begin: transactionsOn(writer, write),
    refresh: (refresh) => refreshOnSqlite(writer, refresh),
    feed: (options) => sqliteFeed({ ...options, read, dataVersion, pollMs: sqlitePollMs }),
    async eraseDeleted() {
      // secure_delete has overwritten the pages; the write-ahead log has older copies of them until it is truncated.
      const isTruncated = await checkpointer.truncate()
      if (!isTruncated) {
        warn('the SQLite write-ahead log could not be truncated yet: another process uses it')
      }
    },
    // Not `select 1`, which SQLite executes without reading the file.
    async ping() {
      await read.selectFrom('key_checks').select('kid').limit(1).execute()
    },
    tryGrowth: () => tryToWrite(`${file}.probe`),
    lineage: null,
    primaries: () => null,
    unprovenForMs: () => 0,
    poolStats: () => null,
    replicationStats: () => null,
    async close() {
      await reader.destroy()
      // The writing connection last: the last one to close checkpoints and removes the write-ahead log.
      await closeWriter()
    },
  }
}

const PROBE_BYTES = 1_048_576

async function tryToWrite(probe: string): Promise<void> {
  try {
    await writeFile(probe, new Uint8Array(PROBE_BYTES))
  } finally {
    await rm(probe, { force: true })
  }
}

/**
 * Changes when *another* connection commits. Read on the writing connection, so that commits of this process, which are
 * published already, do not count.
 */
function dataVersionOf(writing: SqliteFile): number {
  const { rows } = writing.run('pragma data_version', [])
  return (rows[0] as { data_version: number }).data_version
}

/** The length of the write-ahead log. `noop` copies nothing. */
function logFramesOf(writing: SqliteFile): number {
  const { rows } = writing.run('pragma wal_checkpoint(noop)', [])
  return (rows[0] as { log: number }).log
}

/** Begins transactions on the driver itself: each layer of Kysely's own transactions is several promises. */
function transactionsOn(
  driver: SqliteDriver,
  write: Kysely<Tables>,
): () => Promise<OpenTransaction> {
  const dialect = sqliteDialect(driver)
  const shared = { config: { dialect }, dialect, driver }
  return async () => {
    const lease = await driver.acquireConnection()
    const release = (): void => driver.release(lease)
    try {
      await driver.beginTransaction(lease)
    } catch (error) {
      release()
      throw error
    }

    const executor = write.getExecutor().withConnectionProvider({
      async provideConnection(consumer) {
        driver.assertIn(lease)
        return consumer(lease)
      },
    })
    const db = new Transaction<Tables>({ ...shared, executor })
    runDirectly(db, ({ sql, parameters }) => queryResult(driver.runIn(lease, sql, parameters)))
    return {
      db,
      commit: () => driver.commitTransaction(lease).finally(release),
      commitEarly: () => driver.commitEarly(lease).finally(release),
      rollBack: () => driver.rollbackTransaction(lease).finally(release),
    }
  }
}

/**
 * Runs statements outside a transaction without Kysely's executor. Reads use the writing connection if it is free: its cache
 * has the newest pages.
 */
function runStatementsDirectly(
  driver: SqliteDriver,
  { read, write, writeEarly }: Pick<Database, 'read' | 'write' | 'writeEarly'>,
): void {
  runDirectly(read, <R>(query: CompiledQuery<R>) => {
    const result = driver.tryRead(query.sql, query.parameters)
    if (result === undefined) {
      return read.executeQuery(query)
    }
    if (result instanceof Promise) {
      return result.then((durable) => queryResult<R>(durable))
    }
    return queryResult<R>(result)
  })

  // One statement needs no savepoint: if it fails, it has changed nothing.
  runDirectly(write, async <R>({ sql, parameters }: CompiledQuery<R>) => {
    const result = await driver.runSync((run) => run(sql, parameters))
    return queryResult<R>(result)
  })

  runDirectly(writeEarly, async <R>({ sql, parameters }: CompiledQuery<R>) => {
    const result = await driver.runSyncEarly((run) => run(sql, parameters))
    return queryResult<R>(result)
  })
}

/**
 * The write-ahead log of an open database, to sync it outside this thread. SQLite keeps its locks on the database file and
 * on `-shm`, and closing another descriptor of those would release them. Closing one of the log releases none.
 */
class WriteAheadLog {
  readonly #descriptor: number
  #isOpen = true

  /** Opened at the start: the kernel reports a failed write only to descriptors that were open. */
  constructor(file: string) {
    this.#descriptor = openSync(`${file}-wal`, 'r+')
  }

  sync(done: (error: Error | null) => void): void {
    fdatasync(this.#descriptor, done)
  }

  close(): void {
    if (this.#isOpen) {
      closeSync(this.#descriptor)
    }
    this.#isOpen = false
  }
}
