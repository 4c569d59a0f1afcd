import { loggedOut } from '../../domain/events/auth-event.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { recordAuthEvent } from '../limits/count-auth-event.ts'

/** Deletes the session and revokes its tokens. A security action, so no limit prevents it. */
export async function endSession(
  ctx: Context,
  tenant: Tenant,
  sessionId: SessionId,
  reason: 'user' | 'refresh_reuse',
): Promise<void> {
  const now = ctx.now()
  await ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.lockActive(tenant.id)
    const session = resource === null ? null : await stores.sessions.end(resource, sessionId, now)
    if (resource === null || session === null) return
    const user = await stores.users.find(resource, session.userId)
    if (user !== null) await recordAuthEvent(ctx, stores, tenant, resource, loggedOut(user, reason, now))
  })
}
