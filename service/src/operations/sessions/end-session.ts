import type { Author } from '../../domain/audit/action.ts'
import { type LogoutReason, loggedOut } from '../../domain/events/auth-event.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { recordAuthEvent } from '../limits/count-auth-event.ts'

/**
 * Deletes the session and revokes its tokens; false if there is none. A security action, so no limit prevents it. The
 * owner's is audited.
 */
export async function endSession(
  ctx: Context,
  tenant: Tenant,
  sessionId: SessionId,
  reason: LogoutReason,
  author?: Author,
): Promise<boolean> {
  const now = ctx.now()
  return ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.lockActive(tenant.id)
    const session = resource === null ? null : await stores.sessions.end(resource, sessionId, now)
    if (resource === null || session === null) return false
    const user = await stores.users.find(resource, session.userId)
    if (user !== null) await recordAuthEvent(ctx, stores, tenant, resource, loggedOut(user, reason, now))
    // After the event, as everywhere: two transactions that count them in another order could wait for each other.
    if (author !== undefined) {
      const target = `session:${sessionId}`
      await recordAction(stores, { tenantId: tenant.id, author, action: 'session.ended', target, at: now })
    }
    return true
  })
}
