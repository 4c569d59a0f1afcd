import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { sql } from 'kysely'
import { dayOf } from '../../domain/events/daily.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { TransactionAccess } from '../access.ts'
import { sumOf } from './daily.ts'

/**
 * Adds the next events to the tallies, in one short transaction.
 *
 * "After the last one we had" may be trusted because a tenant's events become visible in the order of their ids, also on
 * PostgreSQL: each of them changes the tenant's lifetime counter before it draws an id, so they commit one after the
 * other (see limits/allowance.ts). Nothing can appear behind us.
 */
export async function tally(open: TransactionAccess, resource: Resource, limit: number): Promise<number> {
  const { write } = open
  const tallied = await write
    .selectFrom('resources')
    .select('tallied_through')
    .where('tenant_id', '=', resource.tenantId)
    .where('id', '=', resource.id)
    .where('status', '=', sql.lit('active'))
    .executeTakeFirst()
  if (tallied === undefined) return 0
  const events = await nextEvents(open, resource, tallied.tallied_through, limit)
  const last = events.at(-1)
  if (last === undefined) return 0

  // Whoever moves the mark from where both saw it adds what lies between; the other has nothing to do.
  const { numUpdatedRows } = await write
    .updateTable('resources')
    .set({ tallied_through: last.id })
    .where('tenant_id', '=', resource.tenantId)
    .where('id', '=', resource.id)
    .where('status', '=', sql.lit('active'))
    .where('tallied_through', '=', tallied.tallied_through)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return 0

  const sums = sumOf(events.map(({ event, created_at }) => ({ day: dayOf(created_at), event, count: 1 })))
  for (const { day, event, count } of sums) {
    await write
      .insertInto('day_tallies')
      .values({ tenant_id: resource.tenantId, resource_id: resource.id, day, event, count })
      .onConflict((conflict) =>
        conflict
          .columns(['resource_id', 'day', 'event'])
          .doUpdateSet((eb) => ({ count: eb('day_tallies.count', '+', eb.ref('excluded.count')) })),
      )
      .execute()
  }
  return events.length
}

/** The first of each kind, and of those the first; see events.ts. Whose resource it is was asked above. */
function nextEvents({ write }: TransactionAccess, resource: Resource, after: number, limit: number) {
  const columns = ['id', 'event', 'created_at'] as const
  const [first, ...others] = AUTH_EVENT_KINDS.map((kind) => {
    const ofKind = write
      .selectFrom('events')
      .select(columns)
      .where('resource_id', '=', resource.id)
      .where('event', '=', kind)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
    return write.selectFrom(ofKind.as('kind')).select(columns)
  })
  const all = others.reduce((merged, kind) => merged.unionAll(kind), first as NonNullable<typeof first>)
  return all.orderBy('id').limit(limit).execute()
}
