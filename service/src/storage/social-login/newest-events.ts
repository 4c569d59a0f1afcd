import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse/contract'
import type { NewestEvents, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { stillActive } from './resources.ts'

type Column = 'id' | 'event' | 'user_id' | 'email' | 'redirect_uri' | 'return_to' | 'metadata' | 'created_at'

/** The newest events of a user, of a kind, or of all kinds: then the newest of each, merged (events-of-kinds.ts). */
export function newestEvents(
  access: Access,
  columns: readonly Column[],
  resource: Resource,
  { before = Number.MAX_SAFE_INTEGER, limit, userId, event }: NewestEvents,
) {
  const newest = access.read
    .selectFrom('events')
    .select(columns)
    .where('resource_id', '=', resource.id)
    .where('id', '<', before)
    .where(stillActive(resource))
    .orderBy('id', 'desc')
    .limit(limit)
  const ofKind = (kind: AuthEventKind) => newest.where('event', '=', kind)
  if (userId !== undefined) {
    const ofUser = newest.where('user_id', '=', userId)
    return event === undefined ? ofUser : ofUser.where('event', '=', event)
  }
  if (event !== undefined) return ofKind(event)
  const [first, ...others] = AUTH_EVENT_KINDS.map((kind) =>
    access.read.selectFrom(ofKind(kind).as('kind')).select(columns),
  )
  const all = others.reduce((merged, kind) => merged.unionAll(kind), first as NonNullable<typeof first>)
  return all.orderBy('id', 'desc').limit(limit)
}
