import { issuerOf } from '@gatehouse-auth/contract'
import type { TenantId } from '../../domain/ids.ts'
import { subjectOf } from '../../domain/tokens/id-token.ts'
import { readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { endSession, logOut } from '../sessions/end-session.ts'
import { requireRunning, verifyAccessToken } from '../sessions/verify-access-token.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

interface PresentedToken {
  readonly tenantId: TenantId
  readonly token: string
}

/** Who a valid token is about, and what it is (RFC 7662, section 2.2). Times are in seconds. */
export interface TokenFacts {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly session: string
  readonly kind: 'access' | 'refresh'
  readonly issuedAt: number
  readonly expiresAt: number
}

/** null: it is unknown, expired or revoked. Does not say which, and records no event. */
export async function introspectToken(
  ctx: Context,
  { tenantId, token }: PresentedToken,
): Promise<TokenFacts | null> {
  const verification = verifyAccessToken(ctx, { tenantId, accessToken: token })
  requireRunning(verification)
  if (verification.outcome === 'valid') {
    const { claims } = verification.token
    return {
      ...aboutSession(ctx, tenantId, claims.id, claims.sid),
      email: claims.email,
      kind: 'access',
      issuedAt: claims.iat,
      expiresAt: claims.exp,
    }
  }
  return verification.outcome === 'unrecognized'
    ? introspectRefreshToken(ctx, { tenantId, token })
    : null
}

async function introspectRefreshToken(
  ctx: Context,
  { tenantId, token }: PresentedToken,
): Promise<TokenFacts | null> {
  const fields = readRefreshToken(ctx.keyring, tenantId, token)
  if (fields === null) {
    return null
  }

  const now = ctx.now()
  const tenant = await requireTenant(ctx.stores, tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)
  const session = await ctx.stores.sessions.find(resource, fields.sessionId)
  if (session === null || Buffer.compare(session.salt, fields.salt) !== 0) {
    return null
  }
  const ends = Math.min(session.expiresAt, session.absoluteExpiresAt)
  if (session.generation !== fields.generation || now >= ends) {
    return null
  }
  const user = await ctx.stores.users.find(resource, session.userId)
  if (user === null) {
    return null
  }
  return {
    ...aboutSession(ctx, tenantId, user.id, session.id),
    email: user.email,
    kind: 'refresh',
    issuedAt: Math.floor(session.rotatedAt / 1_000),
    expiresAt: Math.floor(ends / 1_000),
  }
}

const aboutSession = (
  { baseUrl, idTokens }: Context,
  tenantId: TenantId,
  userId: number,
  sessionId: number,
) => ({
  issuer: issuerOf(baseUrl, tenantId),
  subject: subjectOf(tenantId, userId),
  session: idTokens.sessionName(tenantId, sessionId),
})

/** Ends the session of an access or a refresh token, also of an old one (RFC 7009). An unknown token changes nothing. */
export async function revokeToken(
  ctx: Context,
  { tenantId, token }: PresentedToken,
): Promise<void> {
  const accessToken = ctx.accessTokens.read(tenantId, token)
  if (accessToken === null) {
    return logOut(ctx, { tenantId, refreshToken: token })
  }
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now(), 'logout')
  await endSession(ctx, tenant, accessToken.claims.sid, 'user')
}
