import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { EVENT_COLUMNS, eventFrom } from './event-rows.ts'
import { stillActive } from './still-active.ts'

/**
 * The last so many, and of those the ones that are new enough. Asked of the database, "new enough" would make it look
 * through a whole history for the few that are missing; but ids ascend with time, so behind the last comes nothing newer.
 */
export async function recentEvents(
  access: Access,
  resource: Resource,
  since: number,
  limit: number,
): Promise<AuthEvent[]> {
  // The last of each kind, and of those the last; see events.ts.
  const [first, ...others] = AUTH_EVENT_KINDS.map((kind) => {
    const ofKind = access.read
      .selectFrom('events')
      .select(EVENT_COLUMNS)
      .where('resource_id', '=', resource.id)
      .where('event', '=', kind)
      .where(stillActive(resource))
      .orderBy('id', 'desc')
      .limit(limit)
    return access.read.selectFrom(ofKind.as('kind')).select(EVENT_COLUMNS)
  })
  const all = others.reduce((merged, kind) => merged.unionAll(kind), first as NonNullable<typeof first>)
  const rows = await all.orderBy('id', 'desc').limit(limit).execute()
  return rows.filter((row) => row.created_at > since).map(eventFrom)
}
