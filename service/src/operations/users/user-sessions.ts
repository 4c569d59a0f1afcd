import { ApiError } from '../../domain/api-error.ts'
import type { LogoutReason } from '../../domain/events/auth-event.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { Page } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { endSomeSessions, isFullBatch } from './block-user.ts'
import { requireUser } from './users.ts'

/** The sessions of a user that can still be refreshed, by ascending id. */
export async function listUserSessions(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { after, limit }: Page,
): Promise<{ readonly sessions: Session[]; readonly hasMore: boolean }> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'read', now)
  const resource = await requireResource(ctx.stores, tenant)
  const { id } = await requireUser(ctx.stores, resource, userId)
  // One more than requested, to know whether there is another page.
  const sessions = await ctx.stores.sessions.ofUser(resource, id, now, { after, limit: limit + 1 })
  return { sessions: sessions.slice(0, limit), hasMore: sessions.length > limit }
}

/** Ends one session. `sessionId` is null if the path has no number. */
export async function endUserSession(
  ctx: Context,
  tenant: Tenant,
  sessionId: SessionId | null,
  author: Author,
): Promise<void> {
  requireTenantAccess(tenant, 'use', ctx.now())
  await requireResource(ctx.stores, tenant)
  const ended = sessionId !== null && (await endSession(ctx, tenant, sessionId, 'owner', author))
  if (!ended) {
    throw new ApiError(
      'sessionNotFound',
      'This tenant has no session with this id, or it has ended.',
    )
  }
}

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

/** As `endUserSessions`, whatever the status of the tenant: no status rejects a logout. */
export async function endEverySession(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
  reason: LogoutReason,
): Promise<number> {
  const now = ctx.now()
  let total = 0
  for (;;) {
    const ended = await ctx.stores.transaction(async (stores) => {
      const resource = await lockResource(stores, tenant)
      const user = await requireUser(stores, resource, userId)
      const count = await endSomeSessions(ctx, stores, { tenant, resource, user, reason, now })
      // A person who repeats it must not fill the audit.
      if (count === 0 && reason === 'person') {
        return 0
      }

      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'user.sessions_ended',
        target: `user:${user.id}`,
        at: now,
      })
      return count
    })
    total += ended
    if (!isFullBatch(ended)) {
      return total
    }
    await yieldToEventLoop()
  }
}
