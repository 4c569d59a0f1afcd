import { AUTH_EVENT_KINDS, type AuthEventKind, type EventMetadata } from '@gatehouse-auth/contract'
import { CompiledQuery, type Selectable } from 'kysely'
import type { AuthEvent, NewAuthEvent } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { EventQuery, EventStore, NewestEvents, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Engine } from '../engine.ts'
import type { Slots } from '../slots.ts'
import { opaqueLimit } from '../sqlite/dialect.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { type InResource, stillActive } from '../tenants/resources.ts'
import {
  countByDay,
  isOlder,
  isUntallied,
  removeOlder,
  resourceLister,
  tallyNext,
} from './tallies.ts'

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

  const newest: EventStore['newest'] = async (resource, query) => {
    const rows = await newestEvents(access, resource, query).execute()
    return rows.map(eventFrom)
  }

  const listUntallied = resourceLister(access)
  const listOlder = resourceLister(access)

  return {
    async append(resource, id, event) {
      await access.inTransaction(async ({ write, pendingEvents }) => {
        await append.run(write, { resource, id, event, metadata: JSON.stringify(event.metadata) })
        pendingEvents.changedTenants.add(resource.tenantId)
        pendingEvents.deliverable.push({ tenantId: resource.tenantId, kinds: [event.event] })
      })
    },

    async appendAll(resource, firstId, events) {
      if (events.length === 0) {
        return
      }
      await access.inTransaction(async ({ write, pendingEvents }) => {
        const rows = events.map((event, at) =>
          rowOf({ resource, id: firstId + at, event, metadata: JSON.stringify(event.metadata) }),
        )
        await write.insertInto('events').values(rows).execute()
        pendingEvents.changedTenants.add(resource.tenantId)
        pendingEvents.deliverable.push({
          tenantId: resource.tenantId,
          kinds: events.map(({ event }) => event),
        })
      })
    },

    anonymize: (resource, userId, limit) => anonymizeEvents(access, resource, userId, limit),

    async page(resource, query) {
      const { userId, event, kinds = AUTH_EVENT_KINDS } = query
      if (userId !== undefined) {
        const rows = await ofUser(resource, { ...query, userId }).execute()
        return rows.map(eventFrom)
      }
      if (event !== undefined) {
        const rows = await ofKind(resource, query, event).execute()
        return rows.map(eventFrom)
      }
      const merged = ofKinds(access.engine, kinds, resource, query)
      const { rows } = await access.read.executeQuery<EventRow>(merged)
      return rows.map(eventFrom)
    },

    async find(resource, ids, kinds) {
      if (ids.length === 0 || kinds.length === 0) {
        return []
      }
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

    async count(resource, { after, until, kinds, limit }) {
      const { count } = await access.read
        .selectFrom((db) =>
          db
            .selectFrom('events')
            .select('id')
            .where('resource_id', '=', resource.id)
            .where('event', 'in', kinds)
            .where('id', '>', after)
            .where('id', '<=', until)
            .where(stillActive(resource))
            .limit(limit)
            .as('counted'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    newest,

    async recent(resource, since, limit) {
      const events = await newest(resource, { limit })
      // Not a condition of the query, which would read the whole history whenever fewer than `limit` events are new enough.
      // Ids ascend with time, so no event after the last one read is newer.
      return events.filter(({ createdAt }) => createdAt > since)
    },

    daily: (resource, fromDay) => countByDay(access, resource, fromDay),

    tally: (resource, limit) => access.inTransaction((open) => tallyNext(open, resource, limit)),

    listUntallied: (limit) => listUntallied(limit, isUntallied()),

    listOlder: (before, limit) => listOlder(limit, isOlder(before)),

    removeOlder: (resource, before, limit) =>
      access.inTransaction((open) => removeOlder(open, resource, before, limit)),
  }
}

interface Appended extends InResource {
  readonly id: number
  readonly event: Omit<NewAuthEvent, 'metadata'>
  readonly metadata: string
}

const append = statement((db, appended: Slots<Appended>) =>
  db.insertInto('events').values(rowOf(appended)),
)

const rowOf = ({ resource, id, event, metadata }: Appended | Slots<Appended>) => ({
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
})

const COLUMNS = [
  'id',
  'event',
  'user_id',
  'email',
  'redirect_uri',
  'return_to',
  'metadata',
  'created_at',
] as const

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

/**
 * A page of events of several kinds, from an index that starts with the kind: reads the first `limit` events of each kind and
 * merges them. Each page reads a few rows more than it returns, and each refresh writes one index less
 * (docs/hot-path.md). Without the merge, a page would read and sort the resource's whole history.
 *
 * The SQL is built once per choice of kinds: Kysely takes longer to compile this tree of queries than SQLite to execute it.
 */
function ofKinds(
  engine: Engine,
  kinds: readonly AuthEventKind[],
  { id, tenantId }: Resource,
  { after, limit }: EventQuery,
): CompiledQuery {
  const key = `${engine} ${kinds.join(' ')}`
  const text = TEXTS.get(key) ?? textOf(engine, kinds)
  TEXTS.set(key, text)
  if (engine === 'postgres') {
    return CompiledQuery.raw(text, [id, after, tenantId, limit])
  }
  const ofEachKind = kinds.flatMap(() => [id, after, id, tenantId, limit])
  return CompiledQuery.raw(text, [...ofEachKind, limit])
}

const TEXTS = new Map<string, string>()

function textOf(engine: Engine, kinds: readonly AuthEventKind[]): string {
  // SQLite has numbered parameters, too, but node:sqlite binds them only since Node 24.
  const isPostgres = engine === 'postgres'
  const resourceId = isPostgres ? '$1' : '?'
  const after = isPostgres ? '$2' : '?'
  const tenantId = isPostgres ? '$3' : '?'
  const limit = isPostgres ? '$4' : opaqueLimit('?')
  const parts = kinds.map(
    (kind) => `select * from (
      select ${COLUMNS.join(', ')} from events
      where resource_id = ${resourceId} and event = '${kind}' and id > ${after}
        and exists (
          select 1 from resources
          where resources.id = ${resourceId} and resources.tenant_id = ${tenantId} and resources.status = 'active'
        )
      order by id limit ${limit}
    ) as ${kind}`,
  )
  return `${parts.join(' union all ')} order by id limit ${limit}`
}

/** The newest events of a user, of a kind, or of all kinds: then the newest of each, merged as in `ofKinds`. */
function newestEvents(
  access: Access,
  resource: Resource,
  { before = Number.MAX_SAFE_INTEGER, limit, userId, event }: NewestEvents,
) {
  const newest = access.read
    .selectFrom('events')
    .select(COLUMNS)
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
  if (event !== undefined) {
    return ofKind(event)
  }
  const [first, ...others] = AUTH_EVENT_KINDS.map((kind) =>
    access.read.selectFrom(ofKind(kind).as('kind')).select(COLUMNS),
  )
  const all = others.reduce(
    (merged, kind) => merged.unionAll(kind),
    first as NonNullable<typeof first>,
  )
  return all.orderBy('id', 'desc').limit(limit)
}

/**
 * Changes the oldest events of a user, as one range of the index by user. Selected by `(event, id) in (…)`, PostgreSQL
 * compared every event of the tenant with every selected one: 8 s for 1,000 of 2,500.
 */
async function anonymizeEvents(
  { write }: Access,
  resource: Resource,
  userId: UserId,
  limit: number,
): Promise<number> {
  const oldest = write
    .selectFrom('events')
    .select('id')
    .where((eb) => eb.and({ resource_id: resource.id, user_id: userId }))
    .orderBy('id')
    .limit(limit)
  const { numUpdatedRows } = await write
    .updateTable('events')
    .set({ user_id: null, email: null, return_to: null })
    .where((eb) =>
      eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }),
    )
    .where('id', '<=', (eb) =>
      eb.selectFrom(oldest.as('oldest')).select((last) => last.fn.max('id').as('last')),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
