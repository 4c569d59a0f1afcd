import { EDGE_SESSION_SECONDS, SECRET_PREFIXES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { authenticateKey } from './authenticate-key.ts'

const PREFIX = SECRET_PREFIXES.edgeToken

/** Exchanges the application key for a token that is valid for one minute, so that the key is rarely sent. */
export async function openEdgeSession(ctx: Context, applicationKey: string): Promise<{ token: string }> {
  const { tenant } = await authenticateKey(ctx, applicationKey, 'application')
  requireTenantAccess(tenant, 'use', ctx.now())
  const token = mintSecret(PREFIX, ctx.random)
  const expiresAt = ctx.now() + EDGE_SESSION_SECONDS * 1_000
  await ctx.stores.edgeSessions.add(ctx.keyring.hash('edge-session', token), tenant.id, expiresAt)
  return { token }
}

export async function readEdgeSession(ctx: Context, token: string): Promise<{ tenantId: TenantId; expiresAt: number }> {
  const hashes = token.startsWith(PREFIX) ? ctx.keyring.hashes('edge-session', token) : []
  const session = hashes.length === 0 ? null : await ctx.stores.edgeSessions.find(hashes, ctx.now())
  const tenant = session === null ? null : await ctx.stores.tenants.find(session.tenantId)
  if (session === null || tenant === null) {
    throw new ApiError(
      'invalidCredentials',
      'This edge token is unknown or its minute has passed. Ask for another: POST /edge/session.',
    )
  }
  requireTenantAccess(tenant, 'use', ctx.now())
  return session
}
