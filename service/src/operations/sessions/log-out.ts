import type { TenantId } from '../../domain/ids.ts'
import { ALL_GENERATIONS } from '../../domain/revocation/revocation.ts'
import { readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { applyRevocation } from './apply-revocation.ts'
import { endSession } from './end-session.ts'

/**
 * Ends the session of any refresh token that was ever issued for it, the spent ones included: whoever can sign out
 * may. An unknown or ended token is a success too, because what was asked for is so.
 */
export async function logOut(
  ctx: Context,
  { tenantId, refreshToken }: { tenantId: TenantId; refreshToken: string },
): Promise<void> {
  const token = readRefreshToken(ctx.keyring, tenantId, refreshToken)
  if (token === null) {
    await ctx.directory.requireProvisioned(tenantId)
    return
  }
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now())
  const { stores } = ctx
  const session = await stores.sessions.find(await requireResource(stores, tenant), token.sessionId)
  // Ended already, perhaps where we did not hear of it. Only we could have made the token, so it names a real session.
  if (session === null) applyRevocation(ctx, tenant, token.sessionId, ALL_GENERATIONS)
  else if (Buffer.compare(session.salt, token.salt) === 0) await endSession(ctx, tenant, session.id, 'user')
}
