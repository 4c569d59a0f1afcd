import { sql } from 'kysely'
import type { ActiveSession, NewestSessions, Resource } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { stillActive } from './resources.ts'

/** Sessions that can still be refreshed, the newest first. An index by last use would be written at every refresh. */
export async function activeSessions(
  access: Access,
  resource: Resource,
  now: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: NewestSessions,
): Promise<ActiveSession[]> {
  // Limited before the join, so that only users of returned sessions are read. The sweeper deletes expired sessions, so few
  // rows are skipped.
  const newest = access.read
    .selectFrom('sessions')
    .select(['id', 'user_id', 'created_at', 'rotated_at'])
    .where('resource_id', '=', resource.id)
    .where('id', '<', before)
    .where('expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .where(stillActive(resource))
    .orderBy('id', 'desc')
    .limit(limit)
  const rows = await access.read
    .selectFrom(newest.as('newest'))
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'newest.user_id')
        .on('users.tenant_id', '=', resource.tenantId)
        .on('users.resource_id', '=', resource.id),
    )
    .select(['newest.id', 'newest.user_id', 'users.email', 'newest.created_at', 'newest.rotated_at'])
    .orderBy('newest.id', 'desc')
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
