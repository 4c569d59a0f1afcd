/**
 * Daily totals of events by kind, so that a chart does not count a year of history. The sweeper adds new events to
 * `day_tallies`; readers add the events after `tallied_through`, so the totals are always exact.
 */

import { AUTH_EVENT_KINDS } from '@gatehouse-auth/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { dayOf } from '../../domain/events/daily.ts'
import type { DayTally, Resource } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Tables } from '../tables/tables.ts'
import { RESOURCE_COLUMNS, resourceFrom, stillActive } from '../tenants/resources.ts'

const ACTIVE = sql.lit('active' as const)
const EVERY_KIND = AUTH_EVENT_KINDS.map((kind) => sql.lit(kind))

/**
 * The tallies plus the events after them. One statement reads one snapshot: with two, events that are tallied in between
 * would be counted twice or not at all.
 */
export async function countByDay(
  access: Access,
  resource: Resource,
  fromDay: string,
): Promise<DayTally[]> {
  const rows = await access.read
    .selectFrom('day_tallies')
    .select(['day', sql<number | null>`null`.as('at'), 'event', 'count'])
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
    .where('day', '>=', fromDay)
    .where(stillActive(resource))
    .unionAll(sinceTallied(access, resource, fromDay))
    .execute()
  const parts = rows.map(({ day, at, event, count }) => ({
    day: day ?? dayOf(at ?? 0),
    event,
    count,
  }))
  return sumOf(parts)
}

const DAY_MS = 24 * 3_600_000

// Grouped by `created_at / day`: no date function that both engines would have to share. The kinds are listed because the
// index starts with the kind.
const sinceTallied = ({ read }: Access, resource: Resource, fromDay: string) =>
  read
    .selectFrom('events')
    .select((eb) => [
      sql<string>`null`.as('day'),
      eb.fn.min<number | null>('created_at').as('at'),
      'event',
      eb.fn.countAll<number>().as('count'),
    ])
    .where('resource_id', '=', resource.id)
    .where('event', 'in', EVERY_KIND)
    .where('id', '>', (eb) =>
      eb
        .selectFrom('resources')
        .select('tallied_through')
        .where('tenant_id', '=', resource.tenantId)
        .where('id', '=', resource.id),
    )
    .where('created_at', '>=', fromDay === '' ? 0 : Date.parse(fromDay))
    .where(stillActive(resource))
    .groupBy((eb) => ['event', eb('created_at', '/', sql.lit(DAY_MS))])

/** One entry per kind and day, ordered by day. */
function sumOf(parts: readonly DayTally[]): DayTally[] {
  const sums = new Map<string, DayTally>()
  for (const { day, event, count } of parts) {
    const key = `${day} ${event}`
    const sum = sums.get(key)?.count ?? 0
    sums.set(key, { day, event, count: sum + count })
  }
  const place = ({ day, event }: DayTally) => `${day} ${AUTH_EVENT_KINDS.indexOf(event)}`
  return [...sums.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

/**
 * Adds the next events to the tallies, in one short transaction.
 *
 * `id > tallied_through` misses no event, because a tenant's events become visible in the order of their ids, on
 * PostgreSQL too: each event updates the tenant's lifetime counter before it draws an id, so they commit one after the
 * other (domain/limits/allowance.ts).
 */
export async function tallyNext(
  open: TransactionAccess,
  resource: Resource,
  limit: number,
): Promise<number> {
  const { write } = open
  const tallied = await talliedThrough(open, resource)
  if (tallied === null) {
    return 0
  }
  const events = await nextEvents(open, resource, tallied, limit)
  const last = events.at(-1)
  if (last === undefined) {
    return 0
  }

  // Compare and set: of two concurrent calls that read the same mark, one moves it and adds the events.
  const { numUpdatedRows } = await write
    .updateTable('resources')
    .set({ tallied_through: last.id })
    .where('tenant_id', '=', resource.tenantId)
    .where('id', '=', resource.id)
    .where('status', '=', ACTIVE)
    .where('tallied_through', '=', tallied)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    return 0
  }

  const ones = events.map(({ event, created_at }) => ({ day: dayOf(created_at), event, count: 1 }))
  for (const { day, event, count } of sumOf(ones)) {
    await write
      .insertInto('day_tallies')
      .values({ tenant_id: resource.tenantId, resource_id: resource.id, day, event, count })
      .onConflict((conflict) =>
        conflict
          .columns(['resource_id', 'day', 'event', 'tenant_id'])
          .doUpdateSet((eb) => ({ count: eb('day_tallies.count', '+', eb.ref('excluded.count')) })),
      )
      .execute()
  }
  return events.length
}

/** The next events of each kind, merged; see ofKinds in events.ts. The caller has checked the tenant. */
function nextEvents(
  { write }: TransactionAccess,
  resource: Resource,
  after: number,
  limit: number,
) {
  const columns = ['id', 'event', 'created_at'] as const
  const [first, ...others] = AUTH_EVENT_KINDS.map((kind) => {
    const ofKind = write
      .selectFrom('events')
      .select(columns)
      .where((eb) => eb.and({ resource_id: resource.id, event: kind }))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
    return write.selectFrom(ofKind.as('kind')).select(columns)
  })
  const all = others.reduce(
    (merged, kind) => merged.unionAll(kind),
    first as NonNullable<typeof first>,
  )
  return all.orderBy('id').limit(limit).execute()
}

/** The last event that is in the totals; null: the resource is being deleted. */
async function talliedThrough(
  { write }: TransactionAccess,
  resource: Resource,
): Promise<number | null> {
  const row = await write
    .selectFrom('resources')
    .select('tallied_through')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, id: resource.id, status: ACTIVE }))
    .executeTakeFirst()
  return row?.tallied_through ?? null
}

/** Deletes the oldest events that are tallied and older than `before`: no total changes. */
export async function removeOlder(
  open: TransactionAccess,
  resource: Resource,
  before: number,
  limit: number,
): Promise<number> {
  const tallied = (await talliedThrough(open, resource)) ?? 0
  const oldest = await nextEvents(open, resource, 0, limit)
  const firstKept = oldest.findIndex(({ id, created_at }) => created_at >= before || id > tallied)
  const removed = firstKept === -1 ? oldest : oldest.slice(0, firstKept)
  const last = removed.at(-1)
  if (last === undefined) {
    return 0
  }
  const { numDeletedRows } = await open.write
    .deleteFrom('events')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
    .where('event', 'in', EVERY_KIND)
    .where('id', '<=', last.id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type Condition = (resource: ExpressionBuilder<Tables, 'resources'>) => Expression<SqlBool>

/**
 * Lists resources by their events. A list that is always current would cost every event one more
 * write. Instead each call checks the next range of resources and wraps around at the end. The position is kept in memory
 * only: losing it delays the work, which changes no total.
 */
export function resourceLister(
  access: Access,
): (limit: number, condition: Condition) => Promise<Resource[]> {
  let position = 0

  return async (limit, condition) => {
    const end = await endOfRange(access, position)
    const rows = await inRange(access, position, end, limit, condition)
    const last = rows.at(-1)
    position = rows.length === limit && last !== undefined ? last.id : (end ?? 0)
    return rows.map(resourceFrom)
  }
}

const RESOURCES_PER_CALL = 1_000

/** null: the range reaches to the last resource. */
async function endOfRange({ read }: Access, after: number): Promise<number | null> {
  const row = await read
    .selectFrom('resources')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .offset(RESOURCES_PER_CALL - 1)
    .executeTakeFirst()
  return row?.id ?? null
}

const inRange = (
  { read }: Access,
  after: number,
  end: number | null,
  limit: number,
  condition: Condition,
) =>
  read
    .selectFrom('resources')
    .select(RESOURCE_COLUMNS)
    .where('id', '>', after)
    .where('id', '<=', end ?? Number.MAX_SAFE_INTEGER)
    .where('status', '=', ACTIVE)
    .where(condition)
    .orderBy('id')
    .limit(limit)
    .execute()

// Not `exists`: PostgreSQL would turn it into a join and read the events of all tenants.
export const isUntallied =
  (before?: Instant): Condition =>
  (eb) => {
    const next = eb
      .selectFrom('events')
      .select('events.id')
      .whereRef('events.resource_id', '=', 'resources.id')
      .where('events.event', 'in', EVERY_KIND)
      .whereRef('events.id', '>', 'resources.tallied_through')
      .limit(1)
    const found = before === undefined ? next : next.where('events.created_at', '<', before)
    return eb(found, 'is not', null)
  }

/** Compares the oldest event of each kind, which the index has first. */
export const isOlder =
  (before: number): Condition =>
  (eb) => {
    const ofKinds = EVERY_KIND.map((kind) => {
      const oldest = eb
        .selectFrom('events')
        .select('events.created_at')
        .whereRef('events.resource_id', '=', 'resources.id')
        .where('events.event', '=', kind)
        .orderBy('events.id')
        .limit(1)
      return eb(oldest, '<', before)
    })
    return eb.or(ofKinds)
  }
