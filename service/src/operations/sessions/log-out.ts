import type { TenantId } from '../../domain/ids.ts'
import { ALL_GENERATIONS } from '../../domain/revocation/revocation.ts'
import { readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { applyRevocation } from './apply-revocation.ts'
import { endSession } from './end-session.ts'

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
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now(), 'logout')
  const { stores } = ctx
  const session = await stores.sessions.find(await requireResource(stores, tenant), token.sessionId)
  // Already ended, perhaps by another instance. The token's MAC is valid, so the session id is authentic.
  if (session === null) applyRevocation(ctx, tenant, token.sessionId, ALL_GENERATIONS)
  else if (Buffer.compare(session.salt, token.salt) === 0) await endSession(ctx, tenant, session.id, 'user')
}
