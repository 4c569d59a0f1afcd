import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse/contract'
import { sql } from 'kysely'
import { dayOf } from '../../domain/events/daily.ts'
import type { DayTally, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { stillActive } from './still-active.ts'

const DAY_MS = 24 * 3_600_000
const EVERY_KIND = AUTH_EVENT_KINDS.map((kind) => sql.lit(kind))

/**
 * What is tallied, and what came since. One statement, so that it sees one moment: with two, a tally between them would
 * have its events counted twice or not at all.
 */
export async function daily(access: Access, resource: Resource, fromDay: string): Promise<DayTally[]> {
  const rows = await access.read
    .selectFrom('day_tallies')
    .select(['day', sql<number | null>`null`.as('at'), 'event', 'count'])
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('day', '>=', fromDay)
    .where(stillActive(resource))
    .unionAll(sinceTallied(access, resource, fromDay))
    .execute()
  return sumOf(rows.map(({ day, at, event, count }) => ({ day: day ?? dayOf(at ?? 0), event, count })))
}

// By any moment of the day, so that no engine's calendar is needed. Kinds are named because the index begins with them.
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

/** One line for each kind on each day, in the order of the days. */
export function sumOf(parts: readonly DayTally[]): DayTally[] {
  const sums = new Map<string, { day: string; event: AuthEventKind; count: number }>()
  for (const { day, event, count } of parts) {
    const sum = sums.get(`${day} ${event}`)
    if (sum === undefined) sums.set(`${day} ${event}`, { day, event, count })
    else sum.count += count
  }
  const place = ({ day, event }: DayTally) => `${day} ${AUTH_EVENT_KINDS.indexOf(event)}`
  return [...sums.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}
