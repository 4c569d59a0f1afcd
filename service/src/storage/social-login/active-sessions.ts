import { sql } from 'kysely'
import type { ActiveSession, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { stillActive } from './still-active.ts'

/**
 * Of a resource, how many of its newest sessions are looked through for those that were used last. An index in the order
 * of their last use would be written at every refresh; all of them may be a quarter of a million, all over the table.
 */
const LOOKED_THROUGH = 2_000

/** Those that could still be refreshed, the last used first. */
export async function activeSessions(
  access: Access,
  resource: Resource,
  now: number,
  limit: number,
): Promise<ActiveSession[]> {
  const newest = access.read
    .selectFrom('sessions')
    .select(['id', 'user_id', 'created_at', 'rotated_at', 'expires_at', 'absolute_expires_at'])
    .where('resource_id', '=', resource.id)
    .where(stillActive(resource))
    .orderBy('id', 'desc')
    .limit(LOOKED_THROUGH)
  // First which, then whose: the others' people are not looked up.
  const lastUsed = access.read
    .selectFrom(newest.as('newest'))
    .select(['id', 'user_id', 'created_at', 'rotated_at'])
    .where('expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .orderBy('rotated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const rows = await access.read
    .selectFrom(lastUsed.as('used'))
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'used.user_id')
        .on('users.tenant_id', '=', resource.tenantId)
        .on('users.resource_id', '=', resource.id),
    )
    .select(['used.id', 'used.user_id', 'users.email', 'used.created_at', 'used.rotated_at'])
    .orderBy('used.rotated_at', 'desc')
    .orderBy('used.id', 'desc')
    .execute()
  return rows.map(({ id, user_id, email, created_at, rotated_at }) => ({
    id,
    userId: user_id,
    email,
    createdAt: created_at,
    rotatedAt: rotated_at,
  }))
}

/**
 * All there are, less those that have expired and are not swept yet. A session that has expired is always due
 * (sweep-sessions.ts), so both parts are counted in an index, and no session is read that the sweeper would not read.
 */
export async function countActiveSessions({ read }: Access, resource: Resource, now: number): Promise<number> {
  const counted = await read
    .selectNoFrom((eb) => [
      eb
        .selectFrom('sessions')
        .select((all) => all.fn.countAll<number>().as('count'))
        .where('resource_id', '=', resource.id)
        .as('all'),
      eb
        .selectFrom('sessions')
        .select((over) => over.fn.countAll<number>().as('count'))
        .where('sweep_at', '<=', now)
        // The plus keeps both engines from looking for them among all of this resource's.
        .where(sql`+resource_id`, '=', resource.id)
        .where((over) => over.or([over('expires_at', '<=', now), over('absolute_expires_at', '<=', now)]))
        .as('over'),
    ])
    .where(stillActive(resource))
    .executeTakeFirst()
  return counted === undefined ? 0 : (counted.all ?? 0) - (counted.over ?? 0)
}
