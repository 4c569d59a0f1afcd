import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database, Warn } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteDriver, type SqliteDriverOptions } from './driver.ts'
import { sqliteFeed } from './feed.ts'
import { openToRead, openToWrite, type SqliteResult } from './file.ts'
import { refreshOnSqlite } from './refresh.ts'

const CHECKPOINT_ATTEMPTS = 40
const CHECKPOINT_PAUSE_MS = 50

/**
 * Two connections. Writes and transactions share one, so they queue. Reads outside a transaction have their own: in WAL
 * mode they see the last commit and never wait, so reading while a transaction of ours is open cannot deadlock.
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
    read,
    write,
    refresh: (refresh) => refreshOnSqlite(writer, refresh),
    feed: (options) =>
      sqliteFeed({ ...options, read, dataVersion: () => dataVersionOf(writing.run(DATA_VERSION, [])) }),
    async eraseDeleted() {
      // secure_delete has overwritten the pages; older copies of them lie in the log until it is cut to nothing.
      for (let attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt += 1) {
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(write)
        if (rows[0]?.busy === 0) return
        await sleep(CHECKPOINT_PAUSE_MS)
      }
      warn('the SQLite log could not be truncated yet: another process is busy with it')
    },
    poolStats: () => null,
    // The writer last: the last connection to close folds the log into the file.
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/**
 * Changes when *another* connection commits, as seen from this one. So it is asked on the connection that writes: our
 * own commits, which have been announced already, do not count.
 */
const DATA_VERSION = 'pragma data_version'

const dataVersionOf = ({ rows }: SqliteResult): number => (rows[0] as { data_version: number }).data_version
