import type { Author } from '../../domain/audit/action.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UserRecord } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { requireUserRecord, userNotFound } from './get-user.ts'

/** The user may sign in again. Sessions that the block ended stay ended. */
export async function unblockUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<UserRecord> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, userId)
    if (!(await stores.users.setBlocked(resource, user.id, null))) throw userNotFound()
    const target = `user:${user.id}`
    await recordAction(stores, { tenantId: tenant.id, author, action: 'user.unblocked', target, at: now })
    return { ...user, blockedAt: null }
  })
}
