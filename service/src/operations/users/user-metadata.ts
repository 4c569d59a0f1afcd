import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { requireUserRecord } from './get-user.ts'

export interface MetadataChange {
  /** JSON. */
  readonly metadata: string
  /** Whether the stored metadata is the one that the caller read (If-Match). */
  isExpected(current: string | null): boolean
}

/** Replaces the metadata of a user. Two concurrent calls that read the same metadata: the second is rejected. */
export async function replaceUserMetadata(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { metadata, isExpected }: MetadataChange,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, userId)
    if (!isExpected(user.metadata)) throw metadataChanged()
    // Before the user's row is locked: the end of the user's sessions locks it last (storage/social-login/last-seen.ts).
    const target = `user:${user.id}`
    await recordAction(stores, { tenantId: tenant.id, author, action: 'user.metadata_changed', target, at: now })
    if (!(await stores.users.setMetadata(resource, user.id, metadata, user.metadata))) throw metadataChanged()
  })
}

const metadataChanged = (): ApiError =>
  new ApiError('metadataChanged', 'The metadata was changed since you read it. Read it again, and send your change.')
