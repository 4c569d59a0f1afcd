import type { SelectQueryBuilder } from 'kysely'
import type { UserId } from '../../domain/ids.ts'
import { ALL_GENERATIONS, latestTokenExpiry, type Revocation } from '../../domain/revocation/revocation.ts'
import type { Page, Resource } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { publishRevocations } from '../revocations.ts'
import type { Tables } from '../tables/tables.ts'
import { stillActive } from './resources.ts'

interface OfUser {
  readonly userId: UserId
  readonly now: Instant
}

/** Without columns. Names the tenant in `stillActive` only; see there. */
export const sessionsOfUser = (
  { read }: Access,
  resource: Resource,
  { userId, now, after, limit }: OfUser & Page,
): SelectQueryBuilder<Tables, 'sessions', object> =>
  read
    .selectFrom('sessions')
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .where(stillActive(resource))
    .orderBy('id')
    .limit(limit)

/**
 * Deletes the oldest sessions, of one user or of all, and publishes a revocation for each. Returns the user of each. On PostgreSQL it locks them first, by ascending id, as a batch of
 * refreshes does: otherwise the two could wait for each other.
 */
export async function endOldestSessions(
  open: TransactionAccess,
  resource: Resource,
  { userId, now, limit }: { readonly userId?: UserId; readonly now: Instant; readonly limit: number },
): Promise<UserId[]> {
  const oldest = open.write
    .selectFrom('sessions')
    .select('id')
    .where('resource_id', '=', resource.id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .orderBy('id')
    .limit(limit)
  const found = await (open.engine === 'postgres' ? oldest.forUpdate() : oldest).execute()
  if (found.length === 0) return []
  const ended = await open.write
    .deleteFrom('sessions')
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .returning(['id', 'tenant_id', 'resource_id', 'user_id', 'rotated_at'])
    .execute()
  open.endedSessions.push(...ended)
  const { tenantId } = resource
  const revocations = ended.map(
    ({ id: sessionId, rotated_at }): Revocation => ({
      kind: 'session',
      tenantId,
      sessionId,
      generation: ALL_GENERATIONS,
      until: latestTokenExpiry(rotated_at),
    }),
  )
  await publishRevocations(open, revocations, now)
  return ended.map(({ user_id }) => user_id)
}
