import type { AuthEventKind } from '@gatehouse/contract'
import { CompiledQuery } from 'kysely'
import type { EventQuery, Resource } from '../../domain/stores/stores.ts'
import type { Engine } from '../engine.ts'
import { opaqueLimit } from '../sqlite/dialect.ts'

/**
 * A page of events of several kinds, from an index that starts with the kind: reads the first `limit` events of each kind and
 * merges them. Each page reads a few rows more than it returns, and each refresh writes one index less
 * (docs/hot-path.md). Without the merge, a page would read and sort the resource's whole history.
 *
 * The SQL is built once per choice of kinds: Kysely takes longer to compile this tree of queries than SQLite to execute it.
 */
export function eventsOfKinds(
  columns: readonly string[],
): (engine: Engine, kinds: readonly AuthEventKind[], resource: Resource, query: EventQuery) => CompiledQuery {
  const texts = new Map<string, string>()
  return (engine, kinds, resource, { after, limit }) => {
    const key = `${engine} ${kinds.join(' ')}`
    const text = texts.get(key) ?? textOf(engine, columns, kinds)
    texts.set(key, text)
    return CompiledQuery.raw(text, [resource.tenantId, resource.id, after, limit])
  }
}

function textOf(engine: Engine, columns: readonly string[], kinds: readonly AuthEventKind[]): string {
  // Numbered parameters: each value is bound once, although every part uses it.
  const [tenantId, resourceId, after, most = ''] = [1, 2, 3, 4].map((n) => (engine === 'postgres' ? `$${n}` : `?${n}`))
  const limit = engine === 'postgres' ? most : opaqueLimit(most)
  const parts = kinds.map(
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
  return `${parts.join(' union all ')} order by id limit ${limit}`
}
