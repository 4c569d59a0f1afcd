import type { UserId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Access, TransactionAccess } from '../access.ts'

/** The owner's changes of a user. Each locks the user's row until the transaction ends, as a sign-in does. */
const updateOne = ({ write }: Access, resource: Resource, userId: UserId) =>
  write
    .updateTable('users')
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('id', '=', userId)

export async function setBlocked(
  access: Access,
  resource: Resource,
  userId: UserId,
  blockedAt: Instant | null,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOne(access, resource, userId)
    .set({ blocked_at: blockedAt })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function setMetadata(
  access: Access,
  resource: Resource,
  userId: UserId,
  metadata: string | null,
  expected: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOne(access, resource, userId)
    .set({ metadata })
    .where('metadata', expected === null ? 'is' : '=', expected)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** With the user's unfinished logins, which contain the same profile, the remembered consents, and the request to be removed, which
 * is met. */
export async function removeUser({ write }: TransactionAccess, resource: Resource, userId: UserId): Promise<boolean> {
  const removed = await write
    .deleteFrom('users')
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('id', '=', userId)
    .returning(['issuer', 'subject'])
    .executeTakeFirst()
  if (removed === undefined) return false
  await write
    .deleteFrom('removal_requests')
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', userId)
    .execute()
  await write
    .deleteFrom('consents')
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', userId)
    .execute()
  await write
    .deleteFrom('login_attempts')
    .where('tenant_id', '=', resource.tenantId)
    .where('issuer', '=', removed.issuer)
    .where('subject', '=', removed.subject)
    .execute()
  return true
}
