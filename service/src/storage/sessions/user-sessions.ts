import { type SelectQueryBuilder, sql } from 'kysely'
import type { UserId } from '../../domain/ids.ts'
import {
  ALL_GENERATIONS,
  latestTokenExpiry,
  type Revocation,
} from '../../domain/revocation/revocation.ts'
import type { ActiveSession, NewestSessions, Page, Resource } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { publishRevocations } from '../revocations.ts'
import type { Tables } from '../tables/tables.ts'
import { stillActive } from '../tenants/resources.ts'

/** Without columns. Names the tenant in `stillActive` only; see there. */
export const sessionsOfUser = (
  { read }: Access,
  resource: Resource,
  { userId, now, after, limit }: { readonly userId: UserId; readonly now: Instant } & Page,
): SelectQueryBuilder<Tables, 'sessions', object> =>
  read
    .selectFrom('sessions')
    .where((eb) => eb.and({ resource_id: resource.id, user_id: userId }))
    .where('id', '>', after)
    .where('expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .where(stillActive(resource))
    .orderBy('id')
    .limit(limit)

interface OldestSessions {
  /** undefined: of all users. */
  readonly userId?: UserId
  readonly now: Instant
  readonly limit: number
}

/**
 * Deletes the oldest sessions, of one user or of all, and publishes a revocation for each. Returns the user of each. On
 * PostgreSQL it locks them first, by ascending id, as a batch of refreshes does: otherwise the two could wait for each other.
 */
export async function endOldestSessions(
  open: TransactionAccess,
  resource: Resource,
  { userId, now, limit }: OldestSessions,
): Promise<UserId[]> {
  const oldest = open.write
    .selectFrom('sessions')
    .select('id')
    .where('resource_id', '=', resource.id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .orderBy('id')
    .limit(limit)
  const locking = open.engine === 'postgres' ? oldest.forUpdate() : oldest
  const found = await locking.execute()
  if (found.length === 0) {
    return []
  }

  const ids = found.map(({ id }) => id)
  const ended = await open.write
    .deleteFrom('sessions')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
    .where('id', 'in', ids)
    .returning(['id', 'tenant_id', 'resource_id', 'user_id', 'rotated_at'])
    .execute()
  open.endedSessions.push(...ended)
  const revocations = ended.map(
    ({ id, rotated_at }): Revocation => ({
      kind: 'session',
      tenantId: resource.tenantId,
      sessionId: id,
      generation: ALL_GENERATIONS,
      until: latestTokenExpiry(rotated_at),
    }),
  )
  await publishRevocations(open, revocations, now)
  return ended.map(({ user_id }) => user_id)
}

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
    .select([
      'newest.id',
      'newest.user_id',
      'users.email',
      'newest.created_at',
      'newest.rotated_at',
    ])
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
export async function countActiveSessions(
  { read }: Access,
  resource: Resource,
  now: number,
): Promise<number> {
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
        .where((expired) =>
          expired.or([expired('expires_at', '<=', now), expired('absolute_expires_at', '<=', now)]),
        )
        .as('expired'),
    ])
    .where(stillActive(resource))
    .executeTakeFirst()
  return counted === undefined ? 0 : (counted.all ?? 0) - (counted.expired ?? 0)
}
