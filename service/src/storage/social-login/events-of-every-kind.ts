import { AUTH_EVENT_KINDS } from '@gatehouse/contract'
import { CompiledQuery } from 'kysely'
import type { EventQuery, Resource } from '../../domain/stores/stores.ts'
import type { Engine } from '../engine.ts'
import { opaqueLimit } from '../sqlite/dialect.ts'

/**
 * A page of events of all kinds, from an index that starts with the kind: reads the first `limit` events of each kind and
 * merges them. Each page reads a few rows more than it returns, and each refresh writes one index less
 * (docs/hot-path.md). Without the merge, a page would read and sort the resource's whole history.
 *
 * The SQL is built once: Kysely takes longer to compile this tree of six queries than SQLite to execute it.
 */
export const eventsOfEveryKind = (
  engine: Engine,
  columns: readonly string[],
): ((resource: Resource, query: EventQuery) => CompiledQuery) => {
  // Numbered parameters: each value is bound once, although every part uses it.
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
