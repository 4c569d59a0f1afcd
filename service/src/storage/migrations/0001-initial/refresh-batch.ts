import { sql } from 'kysely'

/** A request to refresh, in the order in which storage/postgres/refresh.ts passes an array for each. */
const COLUMNS = {
  tenant_id: 'text',
  owner_account_id: 'bigint',
  tier: 'text',
  expires_at: 'bigint',
  paused_at: 'bigint',
  session_id: 'bigint',
  generation: 'integer',
  salt: 'bytea',
  now_ms: 'bigint',
  session_expires_at: 'bigint',
  idempotency_hash: 'text',
  scope: 'text',
  lifetime_limit: 'bigint',
  minute_start: 'bigint',
  minute_limit: 'bigint',
  month_start: 'bigint',
  month_limit: 'bigint',
}

const names = Object.keys(COLUMNS)
const listOf = (column: string): string => `in_${column}`

/** The parameters of the function: arrays cost less than JSON, because PostgreSQL reads them by type and not by name. */
export const parameters = sql.raw(
  [...Object.entries(COLUMNS).map(([name, type]) => `${listOf(name)} ${type}[]`), 'last_use_after bigint'].join(', '),
)

/** The batch as rows; `at` counts from 1. */
export const batch = sql.raw(
  `unnest(${names.map(listOf).join(', ')}) with ordinality as i (${[...names, 'at'].join(', ')})`,
)

/** `CLOCKS_DIFFER_MS` when this function was written: another value needs a function with another name. */
export const CLOCKS_DIFFER = sql.lit(60_000)
