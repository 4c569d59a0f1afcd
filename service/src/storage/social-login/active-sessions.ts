import { sql } from 'kysely'
import type { ActiveSession, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { stillActive } from './resources.ts'

/**
 * How many of a resource's newest sessions are searched for the last used ones. An index by last use would be written at
 * every refresh, and a resource can have a quarter of a million sessions, scattered over the table.
 */
const NEWEST_MAX = 2_000

/** Sessions that can still be refreshed, the last used first. */
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
    .limit(NEWEST_MAX)
  // Limited before the join, so that only users of returned sessions are read.
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
 * All sessions, minus those that have expired and are not swept yet. An expired session is always due (`sweepSessions`), so
 * both counts use an index, and only rows that the sweeper reads too are read.
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
        .select((expired) => expired.fn.countAll<number>().as('count'))
        .where('sweep_at', '<=', now)
        // The unary plus hides the column from both planners, so that they use the index on sweep_at.
        .where(sql`+resource_id`, '=', resource.id)
        .where((expired) => expired.or([expired('expires_at', '<=', now), expired('absolute_expires_at', '<=', now)]))
        .as('expired'),
    ])
    .where(stillActive(resource))
    .executeTakeFirst()
  return counted === undefined ? 0 : (counted.all ?? 0) - (counted.expired ?? 0)
}
