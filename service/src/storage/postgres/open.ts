import { Kysely, PostgresDialect } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import type { Refresh } from '../../domain/sessions/refresh.ts'
import type { Database, Warn } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { Batches } from './batches.ts'
import { postgresFeed } from './feed.ts'
import { BoundedPool } from './pool.ts'
import { refreshOnPostgres } from './refresh.ts'
import { postgresTypes } from './types.ts'

/** Two cores serve about this many at once; more only queue inside PostgreSQL (docs/hot-path.md). */
const POOL_MAX = 8
const CONNECT_WITHIN_MS = 2_000
const STATEMENT_TIMEOUT_MS = 5_000
/** Later than the server's own limit: it speaks only when the network swallowed the answer. */
const ANSWER_WITHIN_MS = 7_000
const IDLE_IN_TRANSACTION_MS = 10_000
const VACUUM_TIMEOUT_MS = 10 * 60_000

export async function openPostgres(url: string, warn: Warn): Promise<Database> {
  const connection: ClientConfig = {
    connectionString: url,
    application_name: 'gatehouse',
    types: postgresTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  }
  const impatient: ClientConfig = {
    ...connection,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_WITHIN_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  }

  await migrateOnce(connection, warn)
  const pool = new BoundedPool({ ...impatient, max: POOL_MAX, idleTimeoutMillis: 30_000, allowExitOnIdle: true }, warn)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  const refreshes = new Batches(
    ({ rotation }: Refresh) => rotation.sessionId,
    (batch) => refreshOnPostgres(db, batch),
  )

  return {
    engine: 'postgres',
    read: db,
    write: db,
    refresh: (refresh) => refreshes.add(refresh),
    feed: (options) => postgresFeed({ ...options, pool, listener: () => new Client(impatient) }),
    eraseDeleted: () => vacuum({ ...connection, statement_timeout: VACUUM_TIMEOUT_MS }, warn),
    poolStats: () => pool.stats,
    close: () => pool.end(),
  }
}

/** On a connection of its own, because a large table may need longer than any request may take. */
async function migrateOnce(connection: ClientConfig, warn: Warn): Promise<void> {
  const pool = new BoundedPool({ ...connection, max: 1 }, warn)
  try {
    await migrate(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), 'postgres')
  } finally {
    await pool.end()
  }
}

/** Frees the space of deleted rows at once instead of some day. Autovacuum will come anyway, so failing is no harm. */
async function vacuum(connection: ClientConfig, warn: Warn): Promise<void> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    // Outside a transaction, as VACUUM must be.
    await client.query('vacuum users, sessions, events, login_attempts')
  } catch (error) {
    warn('PostgreSQL could not vacuum after a deletion; autovacuum will', error)
  } finally {
    await client.end().catch(() => {})
  }
}
