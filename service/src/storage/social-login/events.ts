import type { AuthEventKind } from '@gatehouse/contract'
import type { NewAuthEvent } from '../../domain/events/auth-event.ts'
import type { EventQuery, EventStore, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { daily } from './daily.ts'
import { EVENT_COLUMNS, type EventRow, eventFrom } from './event-rows.ts'
import { eventsOfEveryKind } from './events-of-every-kind.ts'
import { untalliedLister } from './list-untallied.ts'
import { recentEvents } from './recent-events.ts'
import type { InResource } from './resource-rows.ts'
import { stillActive } from './still-active.ts'
import { tally } from './tally.ts'

const OF_EVERY_KIND = {
  sqlite: eventsOfEveryKind('sqlite', EVENT_COLUMNS),
  postgres: eventsOfEveryKind('postgres', EVENT_COLUMNS),
}

interface Appended extends InResource {
  readonly event: Omit<NewAuthEvent, 'metadata'>
  readonly metadata: string
}

const append = statement((db, { resource, event, metadata }: Slots<Appended>) =>
  db
    .insertInto('events')
    .values({
      tenant_id: resource.tenantId,
      resource_id: resource.id,
      event: event.event,
      user_id: event.userId,
      email: event.email,
      redirect_uri: event.redirectUri,
      return_to: event.returnTo,
      metadata,
      created_at: event.createdAt,
    })
    .returning('id'),
)

export function eventStore(access: Access): EventStore {
  const page = (resource: Resource, { after, limit }: EventQuery) =>
    access.read
      .selectFrom('events')
      .select(EVENT_COLUMNS)
      // The tenant is named by stillActive alone; see there.
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

  return {
    async append(resource, event) {
      return access.inTransaction(async ({ write, pendingEvents }) => {
        const { id } = await append.one(write, { resource, event, metadata: JSON.stringify(event.metadata) })
        pendingEvents.changedTenants.add(resource.tenantId)
        return { ...event, id }
      })
    },

    async page(resource, query) {
      const { userId, event } = query
      if (userId !== undefined) return (await ofUser(resource, { ...query, userId }).execute()).map(eventFrom)
      if (event !== undefined) return (await ofKind(resource, query, event).execute()).map(eventFrom)
      const ofEveryKind = OF_EVERY_KIND[access.engine](resource, query)
      return (await access.read.executeQuery<EventRow>(ofEveryKind)).rows.map(eventFrom)
    },

    recent: (resource, since, limit) => recentEvents(access, resource, since, limit),

    daily: (resource, fromDay) => daily(access, resource, fromDay),

    tally: (resource, limit) => access.inTransaction((open) => tally(open, resource, limit)),

    listUntallied: untalliedLister(access),
  }
}
