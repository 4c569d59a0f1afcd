import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { CompiledQuery } from 'kysely'
import type { EventQuery, Resource } from '../../domain/stores/stores.ts'
import type { Engine } from '../engine.ts'
import { opaqueLimit } from '../sqlite/dialect.ts'

/**
 * A page of events of all kinds, from an index that is sorted by kind first: the first few of each kind, and of those
 * the first few. It reads some rows too many at each page, and saves an index at each refresh (docs/hot-path.md). The
 * obvious query (resource, id, sorted) would read and sort the resource's whole history.
 *
 * The text is made once: as a tree of six queries, Kysely would take longer to write it than SQLite to answer.
 */
export const eventsOfEveryKind = (
  engine: Engine,
  columns: readonly string[],
): ((resource: Resource, query: EventQuery) => CompiledQuery) => {
  // Numbered, so that a value that is used in every part is sent once.
  const [tenantId, resourceId, after, most = ''] = [1, 2, 3, 4].map((n) => (engine === 'postgres' ? `$${n}` : `?${n}`))
  const limit = engine === 'postgres' ? most : opaqueLimit(most)
  const parts = AUTH_EVENT_KINDS.map(
    (kind) => `select * from (
      select ${columns.join(', ')} from events
      where resource_id = ${resourceId} and event = '${kind}' and id > ${after}
        and exists (
          select 1 from resources
          where resources.id = ${resourceId} and resources.tenant_id = ${tenantId} and resources.status = 'active'
        )
      order by id limit ${limit}
    ) as ${kind}`,
  )
  const text = `${parts.join(' union all ')} order by id limit ${limit}`
  return (resource, query) => CompiledQuery.raw(text, [resource.tenantId, resource.id, query.after, query.limit])
}
