import type { Author } from '../../domain/audit/action.ts'
import type { LogoutReason } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { endSomeSessions, isFullBatch } from './end-access.ts'
import { requireUser } from './get-user.ts'

/** Ends every session of a user, who may sign in again. Returns how many; the audit has one record for each transaction. */
export async function endUserSessions(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<number> {
  requireTenantAccess(tenant, 'use', ctx.now())
  return endEverySession(ctx, tenant, userId, author, 'owner')
}

/** The same, whatever the status of the tenant: no status rejects a logout. */
export async function endEverySession(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
  reason: LogoutReason,
): Promise<number> {
  const now = ctx.now()
  for (let total = 0; ; ) {
    const ended = await ctx.stores.transaction(async (stores) => {
      const resource = await lockResource(stores, tenant)
      const user = await requireUser(stores, resource, userId)
      const count = await endSomeSessions(ctx, stores, { tenant, resource, user, reason, now })
      const target = `user:${user.id}`
      // A person who repeats it must not fill the audit.
      if (count === 0 && reason === 'person') return 0
      await recordAction(stores, { tenantId: tenant.id, author, action: 'user.sessions_ended', target, at: now })
      return count
    })
    total += ended
    if (!isFullBatch(ended)) return total
    await yieldToEventLoop()
  }
}
