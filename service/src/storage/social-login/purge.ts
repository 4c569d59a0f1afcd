import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Access, TransactionAccess } from '../access.ts'

/** A resource in status `deleting`. */
interface Deleted {
  readonly tenantId: string
  readonly resourceId: number
}

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
  if (!(await lockDeleted(open, deleted))) return { rows: 0, users: 0 }

  const sessions = await removeSome(open, 'sessions', deleted, limit)
  const events = await removeEvents(open, deleted, limit - sessions)
  const users = await removeSome(open, 'users', deleted, limit - sessions - events)
  const removals = await removeRequests(open, deleted, limit - sessions - events - users)
  const consents = await removeConsents(open, deleted, limit - sessions - events - users - removals)
  const tallies = await removeTallies(open, deleted, limit - sessions - events - users - removals - consents)
  const rows = sessions + events + users + removals + consents + tallies
  if (rows === limit) return { rows, users }

  await open.write
    .deleteFrom('resources')
    .where('tenant_id', '=', deleted.tenantId)
    .where('id', '=', deleted.resourceId)
    .execute()
  return { rows: rows + 1, users }
}

/** How many rows `purge` still removes, the resource's own included. */
export async function countRows({ read }: Access, resourceId: number): Promise<number> {
  let rows = 1
  for (const table of ['sessions', 'users', 'removal_requests', 'consents', 'day_tallies'] as const) {
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
async function lockDeleted({ write }: TransactionAccess, { tenantId, resourceId }: Deleted): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('resources')
    .set((eb) => ({ deleted_at: eb.ref('deleted_at') }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', resourceId)
    .where('status', '=', sql.lit('deleting'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * The ids as an array on PostgreSQL, so that it reads the key once for each: as a subquery, and without fresh statistics, it
 * compared every row of the resource with every id, which exceeded the time limit of a statement.
 */
async function removeSome(
  { write, engine }: TransactionAccess,
  table: 'sessions' | 'users',
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  if (limit <= 0) return 0
  const ids = write.selectFrom(table).select('id').where('resource_id', '=', resourceId).limit(limit)
  const { numDeletedRows } = await write
    .deleteFrom(table)
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', resourceId)
    .where(({ eb, ref }) =>
      engine === 'sqlite' ? eb('id', 'in', ids) : sql<boolean>`${ref('id')} = any(array(${ids}))`,
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeRequests(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  if (limit <= 0) return 0
  const { numDeletedRows } = await write
    .deleteFrom('removal_requests')
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', resourceId)
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('removal_requests').select('user_id').where('resource_id', '=', resourceId).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeConsents(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  if (limit <= 0) return 0
  const { numDeletedRows } = await write
    .deleteFrom('consents')
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', resourceId)
    .where((eb) =>
      eb(
        eb.refTuple('user_id', 'host', 'provider', 'browser_hash'),
        'in',
        eb
          .selectFrom('consents')
          .select(['user_id', 'host', 'provider', 'browser_hash'])
          .where('resource_id', '=', resourceId)
          .limit(limit)
          .$asTuple('user_id', 'host', 'provider', 'browser_hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The first ones in the order of (event, id): on PostgreSQL events have no index on their id alone. */
async function removeEvents(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  if (limit <= 0) return 0
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
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', resourceId)
    .where(sql<boolean>`(event, id) <= ${last}`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeTallies(
  { write }: TransactionAccess,
  { tenantId, resourceId }: Deleted,
  limit: number,
): Promise<number> {
  if (limit <= 0) return 0
  const { numDeletedRows } = await write
    .deleteFrom('day_tallies')
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', resourceId)
    .where((eb) =>
      eb(
        eb.refTuple('day', 'event'),
        'in',
        eb
          .selectFrom('day_tallies')
          .select(['day', 'event'])
          .where('resource_id', '=', resourceId)
          .limit(limit)
          .$asTuple('day', 'event'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
