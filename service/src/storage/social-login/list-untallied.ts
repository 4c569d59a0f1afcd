import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { EventStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { RESOURCE_COLUMNS, resourceFrom } from './resource-rows.ts'

/** How many resources one call looks at. */
const RESOURCES_PER_LOOK = 1_000
const ACTIVE = sql.lit('active' as const)
const EVERY_KIND = AUTH_EVENT_KINDS.map((kind) => sql.lit(kind))

/**
 * To know at once who has new events, every event would have to say so in one more write. Nobody is in a hurry (what is
 * not tallied is counted, see daily.ts), so we go round instead: each call looks at the next stretch of resources, and
 * begins anew at the end. Where we are is kept in memory; losing it costs nothing.
 */
export function untalliedLister(access: Access): EventStore['listUntallied'] {
  let lookedUpTo = 0

  return async (limit) => {
    const end = await endOfStretch(access, lookedUpTo)
    const rows = await untallied(access, lookedUpTo, end, limit)
    const last = rows.at(-1)
    lookedUpTo = rows.length === limit && last !== undefined ? last.id : (end ?? 0)
    return rows.map(resourceFrom)
  }
}

/** null: from here the stretch reaches to the last resource there is. */
async function endOfStretch({ read }: Access, after: number): Promise<number | null> {
  const row = await read
    .selectFrom('resources')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .offset(RESOURCES_PER_LOOK - 1)
    .executeTakeFirst()
  return row?.id ?? null
}

const untallied = ({ read }: Access, after: number, end: number | null, limit: number) =>
  read
    .selectFrom('resources')
    .select(RESOURCE_COLUMNS)
    .where('id', '>', after)
    .where('id', '<=', end ?? Number.MAX_SAFE_INTEGER)
    .where('status', '=', ACTIVE)
    // Not `exists`: PostgreSQL would make a join of it and read everybody's events.
    .where(
      (eb) =>
        eb
          .selectFrom('events')
          .select('events.id')
          .whereRef('events.resource_id', '=', 'resources.id')
          .where('events.event', 'in', EVERY_KIND)
          .whereRef('events.id', '>', 'resources.tallied_through')
          .limit(1),
      'is not',
      null,
    )
    .orderBy('id')
    .limit(limit)
    .execute()
