import type { Author } from '../../domain/audit/action.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UserRecord } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { endAccess, endSomeSessions, inOneTransaction, isFullBatch } from './end-access.ts'
import { requireUser, requireUserRecord, userNotFound } from './get-user.ts'

/** Ends the user's sessions and rejects new sign-ins, in one transaction. Blocking a blocked user changes nothing. */
export async function blockUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<UserRecord> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  return inOneTransaction(
    ctx,
    async (stores) => {
      const resource = await lockResource(stores, tenant)
      const user = await requireUserRecord(stores, resource, userId)
      const blockedAt = user.blockedAt ?? now
      await endAccess(ctx, stores, { tenant, resource, user, reason: 'owner', now }, user, async () => {
        if (!(await stores.users.setBlocked(resource, user.id, blockedAt))) throw userNotFound()
      })
      const target = `user:${user.id}`
      await recordAction(stores, { tenantId: tenant.id, author, action: 'user.blocked', target, at: now })
      return { ...user, blockedAt }
    },
    async (stores) => {
      const resource = await lockResource(stores, tenant)
      const user = await requireUser(stores, resource, userId)
      return isFullBatch(await endSomeSessions(ctx, stores, { tenant, resource, user, reason: 'owner', now }))
    },
  )
}
