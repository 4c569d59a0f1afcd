// For query-plans.test.ts: which statements read more than they have to.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { NOW as GENERATED } from '../support/population/population.ts'
import { HOUR_MS, type TestStorage } from '../support/postgres/storage.ts'

/** All but those that stay small for ever. */
const TABLES = new Set([
  'accounts',
  'tenants',
  'tenant_keys',
  'edge_sessions',
  'login_attempts',
  'counters',
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

/** Of a table; going through the rows of a subquery is not meant. */
function isScan(detail: string): boolean {
  const table = /^SCAN (\w+)/.exec(detail)?.[1]
  return table !== undefined && TABLES.has(table)
}

/** An index, but only its first column: all events of one resource. */
const isWholeHistory = (detail: string): boolean => /USING .*INDEX events_\w+ \(resource_id=\?\)/.test(detail)

/**
 * With sequential scans made unattractive, one that is left means that no index fits. And a page that is collected and
 * then sorted, instead of read in the order of an index, costs as much as the tenant has.
 */
export async function scansOnPostgres({ database }: TestStorage, statements: readonly string[]): Promise<string[]> {
  assert.ok(database.engine === 'postgres')
  const client = new Client(database.url)
  await client.connect()
  try {
    await client.query('set enable_seqscan = off')
    const scans: string[] = []
    for (const sql of statements) {
      if (sql.includes(REFRESH_FUNCTION)) {
        scans.push(...(await scansInRefresh(client, sql)))
        scans.push(...(await scansInRefresh(client, sql.replace(REFRESH_FUNCTION, CAREFUL_FUNCTION))))
        continue
      }
      const { rows } = await client.query(`explain (generic_plan) ${sql}`)
      for (const row of rows) {
        const plan = String(row['QUERY PLAN'])
        const table = /Seq Scan on (\w+)/.exec(plan)?.[1]
        if (table !== undefined && TABLES.has(table)) scans.push(`${table}: ${sql}`)
        if (isPage(sql) && /Bitmap Heap Scan on (?:users|sessions|events)/.test(plan))
          scans.push(`collected and sorted: ${sql}`)
      }
    }
    return scans
  } finally {
    await client.end()
  }
}

const REFRESH_FUNCTION = 'gatehouse_refresh_v2('
/** What the second calls when somebody is at a limit. */
const CAREFUL_FUNCTION = 'gatehouse_refresh_v1('

/** What a function does shows in no plan. It is called, and PostgreSQL asked which tables were read from end to end. */
async function scansInRefresh(client: Client, sql: string): Promise<string[]> {
  const { rows: sessions } = await client.query(
    `select s.id as session_id, s.tenant_id, s.generation, encode(s.salt, 'hex') as salt, t.owner_account_id, a.tier
      from sessions s join tenants t on t.id = s.tenant_id join accounts a on a.id = t.owner_account_id
      where s.resource_id = 1 and s.expires_at > ${GENERATED + HOUR_MS} limit 20`,
  )
  const times = { now_ms: GENERATED, session_expires_at: GENERATED + HOUR_MS, minute_start: 0, month_start: 0 }
  const batch = sessions.map((session, at) => ({
    at,
    ...session,
    ...times,
    scope: `account:${session.owner_account_id}`,
  }))
  await client.query('begin')
  // Its plans must not depend on how tables look: they are made once, when a table may still be nearly empty.
  await client.query('set local enable_seqscan = on')
  const { rows } = await client.query(sql, [JSON.stringify(batch), 0])
  assert.ok(rows.length > 0 && rows.every(({ outcome }) => outcome === 'refreshed'))
  const read = await client.query('select relname from pg_stat_xact_user_tables where seq_scan > 0')
  await client.query('rollback')
  return read.rows.map(({ relname }) => relname).filter((table) => TABLES.has(table))
}

const isPage = (sql: string): boolean => /^select .*from "?(?:users|sessions|events)"?\b.*order by .*limit/s.test(sql)

/** What makes PostgreSQL collect and sort shows in its plans only when tables are large; in the statement, at once. */
export const expectsNothing = (sql: string): boolean =>
  isPage(sql) && /from "?(?:users|sessions|events)"? where "?tenant_id"? = \S+ and "?resource_id"? =/.test(sql)

/** SQLite looks at a limit while it plans, and plans again whenever another value, or the same again, is put in. */
export const isPlannedAnew = (sql: string): boolean => /\blimit\s+\?/.test(sql)
