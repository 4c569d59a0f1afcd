import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Unavailable } from '../../domain/api-error.ts'
import type { Refresh } from '../../domain/sessions/session.ts'
import type { Database, InDoubt, OpenTransaction, Warn } from '../database.ts'
import { UnusableDatabase } from '../database-errors.ts'
import type { PostgresLocation } from '../database-location.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables/tables.ts'
import type { StorageTiming } from '../timing.ts'
import { Batches } from './batches.ts'
import { checkSettings, replicationStats } from './check-database.ts'
import { tryHosts } from './connection/hosts.ts'
import type { Lineage } from './connection/lineage.ts'
import { PrimaryMonitor } from './connection/primary-monitor.ts'
import { ServerClient, type ServerConfig, ServerInRecovery } from './connection/server-client.ts'
import { hostsOf, serverConfig } from './connection/server-config.ts'
import { postgresFeed } from './feed/feed.ts'
import { Listener, type ListenerEvents } from './feed/listener.ts'
import { BoundedPool } from './pool.ts'
import { refreshOnPostgres } from './refresh.ts'
import { Vacuums } from './vacuum.ts'

/** About what two cores can run in parallel; more would only queue inside PostgreSQL (docs/hot-path.md). */
const POOL_MAX = 8

export async function openPostgres(
  { url, directUrl = url, patroniUrls }: PostgresLocation,
  { warn, timing }: { readonly warn: Warn; readonly timing: StorageTiming },
): Promise<Database> {
  const isPooled = directUrl !== url
  const direct = serverConfig(directUrl, warn, timing)
  const { lineage } = direct
  const timeouts = sessionTimeouts(timing)
  const listening: ServerConfig = { ...direct, ...timeouts, query_timeout: timing.responseMs }

  const pooled: ServerConfig = {
    ...direct,
    ...(isPooled ? { hosts: hostsOf(url, warn, timing), isPooled } : timeouts),
    query_timeout: timing.responseMs,
  }

  const monitor = new PrimaryMonitor(listening, warn, patroniUrls)
  await monitor.start()
  try {
    const expectedSchema = isPooled ? await checkPooler(pooled, warn) : null
    await migrateOnce(direct, warn, expectedSchema)
  } catch (error) {
    await monitor.close()
    throw error
  }

  const limits = { max: POOL_MAX, idleTimeoutMillis: 30_000, allowExitOnIdle: true }
  const pool = new BoundedPool({ ...pooled, ...limits }, warn)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await checkSettings(db, warn)
  } catch (error) {
    await Promise.all([monitor.close(), pool.end()])
    throw error
  }

  const vacuums = new Vacuums(direct, warn)
  const refreshes = new Batches(
    ({ rotation }: Refresh) => rotation.sessionId,
    (batch) => refreshOnPostgres(db, batch, isPooled ? lineage.mark : undefined),
    timing.conflictRetryMs,
  )

  return {
    engine: 'postgres',
    read: db,
    write: db,
    writeEarly: db,
    begin: () => beginOn(db),
    refresh: (refresh) => refreshes.add(refresh),
    inDoubt: inDoubtOnPostgres(db, lineage, timing.inDoubtMs),
    feed: (options) =>
      postgresFeed({
        ...options,
        pool,
        lineage,
        timing,
        listen: (events) => openListener(listening, events),
      }),
    // A vacuum reads whole tables: too much for each deletion of one user.
    eraseDeleted: async (rows) => {
      if (rows !== 'few') {
        vacuums.request()
      }
    },
    async ping() {
      // Reads a table: the connection may lead through a pooler, and the server behind it may have been replaced.
      const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby,
        (select count(*) from (select from key_checks limit 1) as one) as readable`.execute(db)
      if (rows[0]?.standby !== false) {
        throw new ServerInRecovery()
      }
    },
    // A small write needs a commit, which needs the disk.
    tryGrowth: async () => {},
    lineage,
    poolStats: () => pool.stats,
    replicationStats: replicationStats(db),
    primaries: () => monitor.writable,
    unprovenForMs: () => monitor.unprovenForMs(),
    async close() {
      vacuums.close()
      await monitor.close()
      await pool.end()
    },
  }
}

/** Sent with a connection. A pooler in transaction mode rejects them, because it shares its connections. */
const sessionTimeouts = ({ statementMs, idleInTransactionMs }: StorageTiming) => ({
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
})

async function beginOn(db: Kysely<Tables>): Promise<OpenTransaction> {
  const transaction = await db.startTransaction().execute()
  const commit = () => transaction.commit().execute()
  return {
    db: transaction,
    commit,
    async commitEarly() {
      await commit()
      return { durable: Promise.resolve() }
    },
    rollBack: () => transaction.rollback().execute(),
  }
}

const openListener = (connection: ServerConfig, events: ListenerEvents): Promise<Listener> =>
  tryHosts(connection.hosts, () => Listener.open(new ServerClient(connection), events))

/** Migrating a large table can take long. Sent with the connection nevertheless, because a pooler rejects that. */
const LONGEST_STATEMENT_MS = 2 ** 31 - 1

/** On a connection of its own. `expected`: the schema to which a pooler leads. */
async function migrateOnce(
  connection: ServerConfig,
  warn: Warn,
  expected: string | null = null,
): Promise<void> {
  const pool = new BoundedPool(
    { ...connection, statement_timeout: LONGEST_STATEMENT_MS, max: 1 },
    warn,
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    if (expected !== null) {
      requireSame(await schemaOf(db), expected)
    }
    await migrate(db, 'postgres', { retryMs: connection.timing.migrationRetryMs })
  } finally {
    await pool.end()
  }
}

/**
 * Before anything is created. Returns the schema to which a pooler leads. It asks on two connections, for which a pooler in
 * transaction mode uses the same one to the server: it must tell their prepared statements apart.
 */
async function checkPooler(connection: ServerConfig, warn: Warn): Promise<string> {
  const pool = new BoundedPool({ ...connection, max: 2 }, warn)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await db.connection().execute(async (first) => {
      await schemaOf(first)
      return db.connection().execute(schemaOf)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code !== DUPLICATE_PREPARED_STATEMENT) {
      throw error
    }
    throw new UnusableDatabase(
      'the pooler of DATABASE_URL mixes the prepared statements of its clients: it is PgBouncer older than 1.21, or has max_prepared_statements=0. Use 1.21 or newer with max_prepared_statements=500, or pool_mode=session.',
      { cause: error },
    )
  } finally {
    await pool.end()
  }
}

const DUPLICATE_PREPARED_STATEMENT = '42P05'

/** With the database: a pooler may lead to another, and sessions behind it may have another search_path. */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  // With a value: such a statement is prepared.
  const { rows } = await sql<{
    name: string
  }>`select format(${'%s.%s'}, current_database(), current_schema()) as name`.execute(db)
  return rows[0]?.name ?? ''
}

function requireSame(direct: string, pooled: string): void {
  if (direct === pooled) {
    return
  }
  throw new UnusableDatabase(
    `DATABASE_URL leads to the schema ${pooled}, and DATABASE_URL_DIRECT to ${direct}. Let both lead to the same: the search_path of a role is set by "alter role … set search_path = …".`,
  )
}

/**
 * PostgreSQL remembers whether a recent transaction was committed (pg_xact_status). A promoted standby assigns again the
 * transaction ids that it has not received, so there the status is that of another transaction. `retryAfterMs`: a server that
 * lost the connection ends the transaction at once; one that restarts needs seconds.
 */
const inDoubtOnPostgres = (
  db: Kysely<Tables>,
  lineage: Pick<Lineage, 'mark'>,
  retryAfterMs: readonly number[],
): InDoubt => ({
  async idOf(transaction) {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(
      transaction,
    )
    return `${lineage.mark} ${rows[0]?.id}`
  },

  async outcomeOf(markAndId) {
    const [mark = '', id = ''] = markAndId.split(' ')
    for (const delay of retryAfterMs) {
      const status = await statusOf(db, id)
      if (mark !== lineage.mark) {
        return 'unknown'
      }
      if (status === 'committed') {
        return 'committed'
      }
      if (status === 'aborted') {
        return 'rolled back'
      }
      await sleep(delay)
    }
    return 'unknown'
  },
})

/** null: unreachable, or a server that does not know the transaction, such as a promoted standby. */
async function statusOf(db: Kysely<Tables>, id: string): Promise<string | null> {
  try {
    const query = sql<{
      status: string | null
    }>`select pg_xact_status(cast(${id} as xid8)) as status`
    return (await query.execute(db)).rows[0]?.status ?? null
  } catch (error) {
    if (error instanceof Unavailable || (error as { code?: unknown }).code === INVALID_PARAMETER) {
      return null
    }
    throw error
  }
}

/** "transaction ID … is in the future" */
const INVALID_PARAMETER = '22023'

/** One connection without timeouts, for a command of the operator: to the server itself, because it holds a lock. */
export const connectToPostgres = (
  location: PostgresLocation,
  warn: Warn,
  name: string,
): Promise<ServerClient> =>
  onPrimary(location, warn, (config) =>
    tryHosts(config.hosts, () => new ServerClient({ ...config, application_name: name }).connect()),
  )

export const migratePostgres = (location: PostgresLocation, warn: Warn): Promise<void> =>
  onPrimary(location, warn, (config) => migrateOnce(config, warn))

/** Of several hosts, a former primary may accept writes, too. */
async function onPrimary<T>(
  { url, directUrl = url, patroniUrls }: PostgresLocation,
  warn: Warn,
  connect: (config: ServerConfig) => Promise<T>,
): Promise<T> {
  const config = serverConfig(directUrl, warn)
  const monitor = new PrimaryMonitor(config, warn, patroniUrls)
  await monitor.start()
  return connect(config).finally(() => monitor.close())
}
