import { AUTH_EVENT_KINDS, type AuthEventKind, type EventMetadata } from '@gatehouse/contract'
import type { Selectable } from 'kysely'
import type { AuthEvent, NewAuthEvent } from '../../domain/events/auth-event.ts'
import type { EventQuery, EventStore, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { anonymizeEvents } from './anonymize-events.ts'
import { eventsOfKinds } from './events-of-kinds.ts'
import { newestEvents } from './newest-events.ts'
import { type InResource, stillActive } from './resources.ts'
import { countByDay, tallyNext, untalliedLister } from './tallies.ts'

const COLUMNS = ['id', 'event', 'user_id', 'email', 'redirect_uri', 'return_to', 'metadata', 'created_at'] as const

const ofKinds = eventsOfKinds(COLUMNS)

interface Appended extends InResource {
  readonly id: number
  readonly event: Omit<NewAuthEvent, 'metadata'>
  readonly metadata: string
}

const append = statement((db, { resource, id, event, metadata }: Slots<Appended>) =>
  db.insertInto('events').values({
    id,
    tenant_id: resource.tenantId,
    resource_id: resource.id,
    event: event.event,
    user_id: event.userId,
    email: event.email,
    redirect_uri: event.redirectUri,
    return_to: event.returnTo,
    metadata,
    created_at: event.createdAt,
  }),
)

export function eventStore(access: Access): EventStore {
  const page = (resource: Resource, { after, limit }: EventQuery) =>
    access.read
      .selectFrom('events')
      .select(COLUMNS)
      .where('resource_id', '=', resource.id)
      .where('id', '>', after)
      .where(stillActive(resource))
      .orderBy('id')
      .limit(limit)

  const ofUser = (resource: Resource, query: EventQuery & { readonly userId: number }) => {
    const events = page(resource, query).where('user_id', '=', query.userId)
    return query.event === undefined ? events : events.where('event', '=', query.event)
  }

  const ofKind = (resource: Resource, query: EventQuery, event: AuthEventKind) =>
    page(resource, query).where('event', '=', event)

  const newest: EventStore['newest'] = async (resource, query) =>
    (await newestEvents(access, COLUMNS, resource, query).execute()).map(eventFrom)

  return {
    async append(resource, id, event) {
      await access.inTransaction(async ({ write, pendingEvents }) => {
        await append.run(write, { resource, id, event, metadata: JSON.stringify(event.metadata) })
        pendingEvents.changedTenants.add(resource.tenantId)
        pendingEvents.deliverable.push({ tenantId: resource.tenantId, kinds: [event.event] })
      })
    },

    async appendAll(resource, firstId, events) {
      if (events.length === 0) return
      await access.inTransaction(async ({ write, pendingEvents }) => {
        const rows = events.map((event, at) => ({
          id: firstId + at,
          tenant_id: resource.tenantId,
          resource_id: resource.id,
          event: event.event,
          user_id: event.userId,
          email: event.email,
          redirect_uri: event.redirectUri,
          return_to: event.returnTo,
          metadata: JSON.stringify(event.metadata),
          created_at: event.createdAt,
        }))
        await write.insertInto('events').values(rows).execute()
        pendingEvents.changedTenants.add(resource.tenantId)
        pendingEvents.deliverable.push({ tenantId: resource.tenantId, kinds: events.map(({ event }) => event) })
      })
    },

    anonymize: (resource, userId, limit) => anonymizeEvents(access, resource, userId, limit),

    async page(resource, query) {
      const { userId, event, kinds = AUTH_EVENT_KINDS } = query
      if (userId !== undefined) return (await ofUser(resource, { ...query, userId }).execute()).map(eventFrom)
      if (event !== undefined) return (await ofKind(resource, query, event).execute()).map(eventFrom)
      const merged = ofKinds(access.engine, kinds, resource, query)
      return (await access.read.executeQuery<EventRow>(merged)).rows.map(eventFrom)
    },

    async find(resource, ids, kinds) {
      if (ids.length === 0) return []
      const rows = await access.read
        .selectFrom('events')
        .select(COLUMNS)
        .where('resource_id', '=', resource.id)
        .where('event', 'in', kinds)
        .where('id', 'in', ids)
        .where(stillActive(resource))
        .orderBy('id')
        .execute()
      return rows.map(eventFrom)
    },

    newest,

    // Drops those at or before `since` afterwards. As a condition of the query, `since` would make the database read the whole
    // history whenever fewer than `limit` events are new enough. Ids ascend with time, so no newer event comes after the
    // last one read.
    recent: async (resource, since, limit) =>
      (await newest(resource, { limit })).filter(({ createdAt }) => createdAt > since),

    daily: (resource, fromDay) => countByDay(access, resource, fromDay),

    tally: (resource, limit) => access.inTransaction((open) => tallyNext(open, resource, limit)),

    listUntallied: untalliedLister(access),
  }
}

type EventRow = Pick<Selectable<Tables['events']>, (typeof COLUMNS)[number]>

const eventFrom = (row: EventRow): AuthEvent => ({
  id: row.id,
  event: row.event,
  userId: row.user_id,
  email: row.email,
  redirectUri: row.redirect_uri,
  returnTo: row.return_to,
  metadata: JSON.parse(row.metadata) as EventMetadata,
  createdAt: row.created_at,
})
