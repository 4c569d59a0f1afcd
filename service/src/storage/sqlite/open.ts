import { Kysely } from 'kysely'
import type { Database, LostWrite, Warn } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables/tables.ts'
import type { StorageTiming } from '../timing.ts'
import { Checkpointer } from './checkpointer.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteDriver } from './driver.ts'
import { type Durability, SyncedLog } from './durability.ts'
import { sqliteFeed } from './feed.ts'
import { openToRead, openToWrite, type SqliteFile } from './file.ts'
import { WriteAheadLog } from './log.ts'
import { refreshOnSqlite } from './refresh.ts'
import { runStatementsDirectly, transactionsOn } from './transaction.ts'

export interface SqliteOptions {
  readonly warn: Warn
  readonly lostWrite: LostWrite
  readonly timing: StorageTiming
}

/**
 * Opens two connections. Writes and transactions share one and queue for it. Reads outside a transaction use the other: in
 * WAL mode they see the last commit and need no lock, so a read while a transaction is open cannot deadlock.
 */
export async function openSqlite(file: string, { warn, lostWrite, timing }: SqliteOptions): Promise<Database> {
  const { busyMs, sqlitePollMs, truncateMs } = timing
  const writing = openToWrite(file)
  const log = new WriteAheadLog(file)
  const dataVersion = (): number => dataVersionOf(writing)
  const synced = new SyncedLog({ sync: (done) => log.sync(done), dataVersion, lostWrite })
  const checkpointer = new Checkpointer({ file, logFrames: () => logFramesOf(writing), warn, lostWrite, truncateMs })
  const durability: Durability = {
    seen: () => synced.seen(),
    committed(sync) {
      checkpointer.committed()
      return synced.committed(sync)
    },
  }
  const writer = new SqliteDriver(writing, { durability, lostWrite, busyMs })
  const write = new Kysely<Tables>({ dialect: sqliteDialect(writer) })
  // The writing connection last: the last one to close checkpoints and removes the write-ahead log.
  const close = async (): Promise<void> => {
    await checkpointer.close()
    await writer.destroy()
    await synced.idle()
    log.close()
  }
  try {
    await migrate(write, 'sqlite')
  } catch (error) {
    await close()
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
      if (await checkpointer.truncate()) return
      warn('the SQLite write-ahead log could not be truncated yet: another process uses it')
    },
    // Not `select 1`, which SQLite executes without reading the file.
    async ping() {
      await read.selectFrom('key_checks').select('kid').limit(1).execute()
    },
    lineage: null,
    poolStats: () => null,
    replicationStats: () => null,
    async close() {
      await reader.destroy()
      await close()
    },
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
