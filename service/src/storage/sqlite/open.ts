import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database, Warn } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables/tables.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteDriver, type SqliteDriverOptions } from './driver.ts'
import { sqliteFeed } from './feed.ts'
import { openToRead, openToWrite, type SqliteResult } from './file.ts'
import { refreshOnSqlite } from './refresh.ts'

const CHECKPOINT_TRIES = 40
const CHECKPOINT_PAUSE_MS = 50

/**
 * Opens two connections. Writes and transactions share one and queue for it. Reads outside a transaction use the other: in
 * WAL mode they see the last commit and never wait, so a read while a transaction is open cannot deadlock.
 */
export async function openSqlite(file: string, warn: Warn, options: SqliteDriverOptions): Promise<Database> {
  const writing = openToWrite(file)
  const writer = new SqliteDriver(writing, options)
  const write = new Kysely<Tables>({ dialect: sqliteDialect(writer) })
  try {
    await migrate(write, 'sqlite')
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const reader = new SqliteDriver(openToRead(file))
  const read = new Kysely<Tables>({ dialect: sqliteDialect(reader) })

  return {
    engine: 'sqlite',
    inDoubt: null,
    read,
    write,
    refresh: (refresh) => refreshOnSqlite(writer, refresh),
    feed: (options) =>
      sqliteFeed({ ...options, read, dataVersion: () => dataVersionOf(writing.run(DATA_VERSION, [])) }),
    async eraseDeleted() {
      // secure_delete has overwritten the pages; the write-ahead log has older copies of them until it is truncated.
      for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(write)
        if (rows[0]?.busy === 0) return
        await sleep(CHECKPOINT_PAUSE_MS)
      }
      warn('the SQLite write-ahead log could not be truncated yet: another process uses it')
    },
    // Not `select 1`, which SQLite executes without reading the file.
    async ping() {
      await read.selectFrom('key_checks').select('kid').limit(1).execute()
    },
    lineage: null,
    poolStats: () => null,
    replicationStats: () => null,
    // The writer last: the last connection to close checkpoints and removes the write-ahead log.
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/**
 * Changes when *another* connection commits. Read on the writing connection, so that commits of this process, which are
 * published already, do not count.
 */
const DATA_VERSION = 'pragma data_version'

const dataVersionOf = ({ rows }: SqliteResult): number => (rows[0] as { data_version: number }).data_version
