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
import { type Hosts, tryHosts } from './connection/hosts.ts'
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

/** A connection of the pool that is idle for this long is closed. */
const POOL_IDLE_MS = 30_000

export async function openPostgres(
  { url, directUrl = url, patroniUrls }: PostgresLocation,
  { warn, timing }: { readonly warn: Warn; readonly timing: StorageTiming },
): Promise<Database> {
  const isPooled = directUrl !== url
  // Without timeouts for its statements: for migrations and vacuums.
  const direct = serverConfig(directUrl, warn, timing)
  const listening = withTimeouts(direct)
  const pooled = isPooled ? behindPooler(direct, hostsOf(url, warn, timing)) : listening

  const monitor = new PrimaryMonitor(listening, warn, patroniUrls)
  await monitor.start()
  try {
    const expectedSchema = isPooled ? await checkPooler(pooled, warn) : null
    await migrateOnce(direct, warn, expectedSchema)
  } catch (error) {
    await monitor.close()
    throw error
  }

  const pool = new BoundedPool(
    { ...pooled, max: POOL_MAX, idleTimeoutMillis: POOL_IDLE_MS, allowExitOnIdle: true },
    warn,
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await checkSettings(db, warn)
  } catch (error) {
    await Promise.all([monitor.close(), pool.end()])
    throw error
  }

  const { lineage } = direct
  const vacuums = new Vacuums(direct, warn)
  const refreshes = new Batches(
    ({ rotation }: Refresh) => rotation.sessionId,
    (batch) => refreshOnPostgres(db, batch, isPooled ? lineage.mark : null),
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
    async eraseDeleted(rows) {
      if (rows !== 'few') {
        vacuums.request()
      }
    },
    ping: () => ping(db),
    // A small write needs a commit, which needs the disk.
    async tryGrowth() {},
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

/** The server's timeouts are sent with each connection. */
const withTimeouts = (config: ServerConfig): ServerConfig => ({
  ...config,
  statement_timeout: config.timing.statementMs,
  idle_in_transaction_session_timeout: config.timing.idleInTransactionMs,
  query_timeout: config.timing.responseMs,
})

/** A pooler in transaction mode rejects the server's timeouts, because its clients share its connections. */
const behindPooler = (config: ServerConfig, hosts: Hosts): ServerConfig => ({
  ...config,
  hosts,
  isPooled: true,
  query_timeout: config.timing.responseMs,
})

async function ping(db: Kysely<Tables>): Promise<void> {
  // Reads a table: the connection may lead through a pooler, and the server behind it may have been replaced.
  const query = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby,
    (select count(*) from (select from key_checks limit 1) as one) as readable`
  const { rows } = await query.execute(db)
  if (rows[0]?.standby !== false) {
    throw new ServerInRecovery()
  }
}

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

/**
 * Migrating a large table can take long. The timeout is sent with the connection nevertheless, because a pooler rejects it:
 * a `DATABASE_URL_DIRECT` that leads to a pooler fails here.
 */
const LONGEST_STATEMENT_MS = 2 ** 31 - 1

/** Migrates on a connection of its own. `expectedSchema`: the schema to which a pooler leads; null: there is none. */
async function migrateOnce(
  connection: ServerConfig,
  warn: Warn,
  expectedSchema: string | null,
): Promise<void> {
  const pool = new BoundedPool(
    { ...connection, statement_timeout: LONGEST_STATEMENT_MS, max: 1 },
    warn,
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    if (expectedSchema !== null) {
      requireSame(await schemaOf(db), expectedSchema)
    }
    await migrate(db, 'postgres', { retryMs: connection.timing.migrationRetryMs })
  } finally {
    await pool.end()
  }
}

/**
 * Returns the schema to which a pooler leads, before anything is created there. Asks on two connections at once: a pooler in
 * transaction mode may use one connection to the server for both, and must tell their prepared statements apart.
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
    if (sqlStateOf(error) !== DUPLICATE_PREPARED_STATEMENT) {
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

/** Database and schema: a pooler may lead to another database, and its sessions may have another search_path. */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  // A statement with a value is prepared, as `checkPooler` needs it.
  const format = '%s.%s'
  const query = sql<Named>`select format(${format}, current_database(), current_schema()) as name`
  const { rows } = await query.execute(db)
  return rows[0]?.name ?? ''
}

interface Named {
  readonly name: string
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
    const query = sql<{ id: string }>`select pg_current_xact_id()::text as id`
    const { rows } = await query.execute(transaction)
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
  const query = sql<Status>`select pg_xact_status(cast(${id} as xid8)) as status`
  try {
    const { rows } = await query.execute(db)
    return rows[0]?.status ?? null
  } catch (error) {
    if (error instanceof Unavailable || sqlStateOf(error) === INVALID_PARAMETER) {
      return null
    }
    throw error
  }
}

interface Status {
  readonly status: string | null
}

/** "transaction ID … is in the future" */
const INVALID_PARAMETER = '22023'

const sqlStateOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

/** One connection without timeouts, for a command of the operator: to the server itself, because it holds a lock. */
export function connectToPostgres(
  location: PostgresLocation,
  warn: Warn,
  name: string,
): Promise<ServerClient> {
  return onPrimary(location, warn, (config) => {
    const named = { ...config, application_name: name }
    return tryHosts(config.hosts, () => new ServerClient(named).connect())
  })
}

export const migratePostgres = (location: PostgresLocation, warn: Warn): Promise<void> =>
  onPrimary(location, warn, (config) => migrateOnce(config, warn, null))

/** Finds the primary among several hosts first, because a former primary may accept writes, too. */
async function onPrimary<T>(
  { url, directUrl = url, patroniUrls }: PostgresLocation,
  warn: Warn,
  connect: (config: ServerConfig) => Promise<T>,
): Promise<T> {
  const config = serverConfig(directUrl, warn)
  const monitor = new PrimaryMonitor(config, warn, patroniUrls)
  await monitor.start()
  try {
    return await connect(config)
  } finally {
    await monitor.close()
  }
}
