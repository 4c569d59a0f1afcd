// For query-plans.test.ts: finds statements that read more rows than they need.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { NOW as GENERATED } from '../../support/population/population.ts'
import { HOUR_MS, type TestStorage } from '../../support/postgres/storage.ts'

/** All tables except those that stay small. */
const TABLES = new Set([
  'accounts',
  'tenants',
  'tenant_keys',
  'edge_sessions',
  'login_attempts',
  'login_codes',
  'consents',
  'counters',
  'event_counts',
  'resources',
  'users',
  'sessions',
  'events',
  'revocations',
  'account_sessions',
  'account_sign_ins',
  'claims',
  'request_records',
  'feedback',
  'day_tallies',
  'oauth_approvals',
  'oauth_grants',
  'oauth_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'idempotency_keys',
  'tenant_credentials',
  'domains',
  'brands',
  'logos',
  'provider_clients',
  'webhooks',
  'webhook_retries',
  'webhook_messages',
  'webhook_attempts',
])

export function scansOnSqlite({ database }: TestStorage, statements: readonly string[]): string[] {
  assert.ok(database.engine === 'sqlite')
  const db = new DatabaseSync(database.file)
  try {
    return statements.flatMap((sql) =>
      db
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => isScan(detail) || (sql.startsWith('select') && isWholeHistory(detail)))
        .map((detail) => `${detail}: ${sql}`),
    )
  } finally {
    db.close()
  }
}

/** Of a table, not of a subquery. */
function isScan(detail: string): boolean {
  const table = /^SCAN (\w+)/.exec(detail)?.[1]
  return table !== undefined && TABLES.has(table)
}

/** Uses only the first column of an index or a key: reads all events or identities of a resource. */
const isWholeHistory = (detail: string): boolean =>
  /USING .*INDEX events_\w+ \(resource_id=\?\)|^SEARCH identities USING PRIMARY KEY \(resource_id=\?\)/.test(
    detail,
  )

/**
 * With sequential scans disabled, a remaining one means that no index fits. A bitmap scan of a page reads and sorts all
 * rows of the tenant instead of reading them in the order of an index.
 */
export async function scansOnPostgres(
  { database }: TestStorage,
  statements: readonly string[],
): Promise<string[]> {
  assert.ok(database.engine === 'postgres')
  const client = new Client(database.url)
  await client.connect()
  try {
    await client.query('set enable_seqscan = off')
    const scans: string[] = []
    for (const sql of statements) {
      if (sql.includes(REFRESH_FUNCTION)) {
        scans.push(...(await scansInRefresh(client, sql, { minuteLimit: null })))
        // Some are over the limit, so that the function runs its statement again without them.
        scans.push(...(await scansInRefresh(client, sql, { minuteLimit: 5 })))
        continue
      }
      const { rows } = await client.query(`explain (generic_plan) ${sql}`)
      for (const row of rows) {
        const plan = String(row['QUERY PLAN'])
        const table = /Seq Scan on (\w+)/.exec(plan)?.[1]
        if (table !== undefined && TABLES.has(table)) {
          scans.push(`${table}: ${sql}`)
        }
        if (isPage(sql) && /Bitmap Heap Scan on (?:users|sessions|events)/.test(plan)) {
          scans.push(`bitmap scan: ${sql}`)
        }
      }
    }
    return scans
  } finally {
    await client.end()
  }
}

const REFRESH_FUNCTION = 'gatehouse_refresh_v2('

/** Plans do not show the statements of a function. Calls it, and reads PostgreSQL's statistics of sequential scans. */
async function scansInRefresh(
  client: Client,
  sql: string,
  { minuteLimit }: { minuteLimit: number | null },
): Promise<string[]> {
  const { rows: sessions } = await client.query(
    `select s.id, s.tenant_id, s.generation, s.salt, t.owner_account_id, a.tier
      from sessions s join tenants t on t.id = s.tenant_id join accounts a on a.id = t.owner_account_id
      where s.resource_id = 1 and s.expires_at > ${GENERATED + HOUR_MS} limit 20`,
  )
  const each = (value: unknown): unknown[] => sessions.map(() => value)
  const of = (column: string): unknown[] => sessions.map((session) => session[column])
  // In the order of the parameters of the function.
  const batch = [
    ...[of('tenant_id'), of('owner_account_id'), of('tier'), each(null), each(null)],
    ...[
      of('id'),
      of('generation'),
      of('salt'),
      each(GENERATED),
      each(GENERATED + HOUR_MS),
      each(null),
    ],
    ...[sessions.map((session) => `account:${session.owner_account_id}`), each(null)],
    ...[each(GENERATED), each(minuteLimit), each(0), each(null)],
  ]
  await client.query('begin')
  // Its plans are cached and may be made while the tables are nearly empty, so they must not depend on this setting.
  await client.query('set local enable_seqscan = on')
  const { rows } = await client.query(sql, [...batch, 0])
  assert.ok(rows.length > 5)
  const refreshed = rows.filter(({ outcome }) => outcome === 'refreshed')
  assert.equal(refreshed.length, minuteLimit ?? rows.length)
  const read = await client.query('select relname from pg_stat_xact_user_tables where seq_scan > 0')
  await client.query('rollback')
  return read.rows.map(({ relname }) => relname).filter((table) => TABLES.has(table))
}

const isPage = (sql: string): boolean =>
  /^select .*from "?(?:users|sessions|events)"?\b.*order by .*limit/s.test(sql)

/** Makes PostgreSQL read and sort all rows of a large tenant; small tables do not show it in their plans. */
export const namesTenantTwice = (sql: string): boolean =>
  isPage(sql) &&
  /from "?(?:users|sessions|events)"? where "?tenant_id"? = \S+ and "?resource_id"? =/.test(sql)

/** SQLite's planner uses the value of a bare limit, and plans the statement again at each binding. */
export const hasBareLimit = (sql: string): boolean => /\blimit\s+\?/.test(sql)
