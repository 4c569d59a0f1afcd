import type { World } from '../world.ts'
import { databaseOf } from './database-rows.ts'
import { raw } from './storage.ts'

/** Inserts `count` rows with plain SQL. `values` are expressions over `id`, which runs from 1 to `count`. */
async function bulk(
  at: World,
  {
    table,
    columns,
    values,
    count,
  }: { table: string; columns: string; values: string; count: number },
): Promise<void> {
  const database = databaseOf(at)
  const insert = `insert into ${table} (${columns})`
  const series = `with recursive series(id) as (select 1 union all select id + 1 from series where id < ${count})`
  await raw(
    database,
    database.engine === 'postgres'
      ? `${insert} select ${values} from generate_series(1, ${count}) as series(id)`
      : `${insert} ${series} select ${values} from series`,
  )
}

/** Users of a resource, each with a row of about `bytes`. */
export const manyUsers = (
  at: World,
  resource: { id: number; tenantId: string },
  count: number,
  bytes = 100,
) =>
  bulk(at, {
    table: 'users',
    columns: 'id, tenant_id, resource_id, issuer, subject, email, name, first_seen, last_seen',
    values: `id, '${resource.tenantId}', ${resource.id}, 'issuer', 'subject-' || id, 'p' || id || '@example.com', '${'x'.repeat(bytes)}', 1, 1`,
    count,
  })

/** Sessions that expired long ago. */
export const manyExpiredSessions = (
  at: World,
  resource: { id: number; tenantId: string },
  count: number,
) =>
  bulk(at, {
    table: 'sessions',
    columns:
      'tenant_id, resource_id, user_id, salt, generation, created_at, rotated_at, expires_at, absolute_expires_at, sweep_at',
    values: `'${resource.tenantId}', ${resource.id}, id, ${at.engine === 'sqlite' ? 'zeroblob(12)' : "'\\x00'::bytea"}, 1, 1, 1, 2, 2, 2`,
    count,
  })

/** Sign-ins after the events that the tenant has, and its counter of event ids. */
export async function manyEvents(
  at: World,
  resource: { id: number; tenantId: string },
  count: number,
): Promise<void> {
  const isTenant = `scope = 'tenant:${resource.tenantId}'`
  await bulk(at, {
    table: 'events',
    columns: 'id, tenant_id, resource_id, event, metadata, created_at',
    values: `id + (select last_event_id from event_counts where ${isTenant}), '${resource.tenantId}', ${resource.id}, 'authorize', '{}', ${at.clock.now()}`,
    count,
  })
  await raw(
    databaseOf(at),
    `update event_counts set last_event_id = last_event_id + ${count} where ${isTenant}`,
  )
}
