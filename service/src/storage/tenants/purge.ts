import { AUTH_EVENT_KINDS } from '@gatehouse-auth/contract'
import { sql } from 'kysely'
import type { Access, TransactionAccess } from '../access.ts'

/** A resource in status `deleting`. */
interface Deleted {
  readonly tenantId: string
  readonly resourceId: number
}

/** The columns of a primary key after those of the resource, for tables with few rows for each user. */
const KEYS = {
  identities: ['issuer', 'subject'],
  removal_requests: ['user_id'],
  consents: ['user_id', 'host', 'provider', 'browser_hash'],
  day_tallies: ['day', 'event'],
} as const
type KeyedTable = keyof typeof KEYS
const KEYED_TABLES = Object.keys(KEYS) as KeyedTable[]
type PurgedTable = 'sessions' | 'users' | 'events' | KeyedTable

// Subqueries select rows by resource alone, under its lock; `stillActive` explains why they do not name the tenant.

/**
 * Removes up to `limit` rows: sessions first, because they still give access, and the resource's own row last, so that the
 * work continues after a crash.
 */
export async function purge(
  open: TransactionAccess,
  deleted: Deleted,
  limit: number,
): Promise<{ rows: number; users: number }> {
  if (!(await lockDeleted(open, deleted))) {
    return { rows: 0, users: 0 }
  }

  let rows = 0
  const removed = async (table: PurgedTable): Promise<number> => {
    const count = rows < limit ? await removeRows(open, table, deleted, limit - rows) : 0
    rows += count
    return count
  }
  await removed('sessions')
  await removed('events')
  const users = await removed('users')
  for (const table of KEYED_TABLES) {
    await removed(table)
  }
  if (rows === limit) {
    return { rows, users }
  }

  await open.write
    .deleteFrom('resources')
    .where((eb) => eb.and({ tenant_id: deleted.tenantId, id: deleted.resourceId }))
    .execute()
  return { rows: rows + 1, users }
}

/** How many rows `purge` still removes, the resource's own included. */
export async function countRows({ read }: Access, resourceId: number): Promise<number> {
  let rows = 1
  for (const table of ['sessions', 'users', ...KEYED_TABLES] as const) {
    const { count } = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('resource_id', '=', resourceId)
      .executeTakeFirstOrThrow()
    rows += count
  }
  const events = await read
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('resource_id', '=', resourceId)
    // The first columns of their index.
    .where('event', 'in', AUTH_EVENT_KINDS)
    .executeTakeFirstOrThrow()
  return rows + events.count
}

/**
 * Locks the resource's row; false unless it is in status `deleting`. An update that changes nothing is a row lock on both
 * engines. Without it, a second purge would wait for the rows of the first, find none, and remove the resource too early.
 */
async function lockDeleted(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('resources')
    .set((eb) => ({ deleted_at: eb.ref('deleted_at') }))
    .where((eb) => eb.and({ tenant_id: tenantId, id: resourceId }))
    .where('status', '=', sql.lit('deleting'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function removeRows(
  open: TransactionAccess,
  table: PurgedTable,
  deleted: Deleted,
  limit: number,
): Promise<number> {
  if (table === 'events') {
    return removeEvents(open, deleted, limit)
  }
  if (table === 'sessions' || table === 'users') {
    return removeById(open, table, deleted, limit)
  }
  return removeKeyed(open, table, deleted, limit)
}

/**
 * The ids as an array on PostgreSQL, so that it reads the key once for each: as a subquery, and without fresh statistics, it
 * compared every row of the resource with every id, which exceeded the time limit of a statement.
 */
async function removeById(
  { write, engine }: TransactionAccess,
  table: 'sessions' | 'users',
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  const ids = write
    .selectFrom(table)
    .select('id')
    .where('resource_id', '=', resourceId)
    .limit(limit)
  const { numDeletedRows } = await write
    .deleteFrom(table)
    .where((eb) => eb.and({ tenant_id: tenantId, resource_id: resourceId }))
    .where(({ eb, ref }) =>
      engine === 'sqlite' ? eb('id', 'in', ids) : sql<boolean>`${ref('id')} = any(array(${ids}))`,
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeKeyed(
  { write }: TransactionAccess,
  table: KeyedTable,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  const key = sql.join(KEYS[table].map((column) => sql.ref(column)))
  // The cast as in `opaqueLimit`.
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)}
    where tenant_id = ${tenantId} and resource_id = ${resourceId} and (${key}) in (
      select ${key} from ${sql.table(table)} where resource_id = ${resourceId} limit cast(${limit} as integer)
    )
  `.execute(write)
  return Number(numAffectedRows)
}

/** The first ones in the order of (event, id): on PostgreSQL events have no index on their id alone. */
async function removeEvents(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  const first = write
    .selectFrom('events')
    .select(['event', 'id'])
    .where('resource_id', '=', resourceId)
    .orderBy('event')
    .orderBy('id')
    .limit(limit)
  const last = write
    .selectFrom(first.as('first'))
    .select(['event', 'id'])
    .orderBy('event', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  const { numDeletedRows } = await write
    .deleteFrom('events')
    .where((eb) => eb.and({ tenant_id: tenantId, resource_id: resourceId }))
    .where(sql<boolean>`(event, id) <= ${last}`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
