import { type LogoutReason, loggedOut } from '../../domain/events/auth-event.ts'
import type { SessionId, TenantId } from '../../domain/ids.ts'
import { ALL_GENERATIONS, latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { ActiveSession, NewestSessions } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { recordAuthEvent } from '../limits/count-auth-event.ts'
import { recordAction } from '../tenants/audit.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

/**
 * Ends the session of a refresh token, also of a spent one. Idempotent: an unknown token or an ended session also
 * succeeds. Neither a limit nor a pause rejects it.
 */
export async function logOut(
  ctx: Context,
  { tenantId, refreshToken }: { tenantId: TenantId; refreshToken: string },
): Promise<void> {
  const token = readRefreshToken(ctx.keyring, tenantId, refreshToken)
  if (token === null) {
    await ctx.directory.requireProvisioned(tenantId, 'logout')
    return
  }

  const { stores } = ctx
  const tenant = await requireTenant(stores, tenantId, ctx.now(), 'logout')
  const resource = await requireResource(stores, tenant)
  const session = await stores.sessions.find(resource, token.sessionId)
  // Already ended, perhaps by another instance. The token's MAC is valid, so the session id is authentic.
  if (session === null) {
    applyRevocation(ctx, tenant, token.sessionId, ALL_GENERATIONS)
  } else if (Buffer.compare(session.salt, token.salt) === 0) {
    await endSession(ctx, tenant, session.id, 'user')
  }
}

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
    if (resource === null || session === null) {
      return false
    }
    const user = await stores.users.find(resource, session.userId)
    if (user !== null) {
      await recordAuthEvent(ctx, stores, tenant, resource, loggedOut(user, reason, now))
    }
    if (author !== undefined) {
      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'session.ended',
        target: `session:${sessionId}`,
        at: now,
      })
    }
    return true
  })
}

/**
 * Read-your-writes: applies a revocation locally before the response. It may have been committed by another instance, or
 * in a commit whose acknowledgment was lost, so the feed may not have delivered it yet.
 */
export function applyRevocation(
  ctx: Pick<Context, 'revocations' | 'now'>,
  { id: tenantId }: Tenant,
  sessionId: SessionId,
  generation: number,
): void {
  const until = latestTokenExpiry(ctx.now())
  ctx.revocations.apply({ kind: 'session', tenantId, sessionId, generation, until })
}

/** The sessions of a tenant's users that can still be refreshed, the newest first. Empty without social login. */
export async function listActiveSessions(
  ctx: Pick<Context, 'stores' | 'now'>,
  tenant: Tenant,
  query: NewestSessions,
): Promise<{ readonly sessions: readonly ActiveSession[]; readonly hasMore: boolean }> {
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) {
    return { sessions: [], hasMore: false }
  }
  // One more than requested, to know whether there is another page.
  const found = await ctx.stores.sessions.active(resource, ctx.now(), {
    ...query,
    limit: query.limit + 1,
  })
  return { sessions: found.slice(0, query.limit), hasMore: found.length > query.limit }
}
