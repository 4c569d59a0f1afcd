import { type Claims, ID_TOKENS_PER_MINUTE_PER_SESSION } from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { AccessTokenClaims } from '../../domain/tokens/access-token.ts'
import { idTokenIssuer } from '../../domain/tokens/id-token.ts'
import type { Context } from '../context.ts'
import { rateLimited } from '../limits/limit-requests.ts'
import { requireRunning, verifyAccessToken } from './verify-access-token.ts'

/**
 * Issues a token that other systems verify by themselves, for an access token that verify accepts. It is not recorded as an
 * event.
 */
export async function createIdToken(
  ctx: Context,
  request: {
    readonly tenantId: TenantId
    readonly accessToken: string
    readonly audience?: string | undefined
  },
): Promise<{ token: string; expiresIn: number }> {
  const { tenantId, accessToken } = request
  const verification = verifyAccessToken(ctx, { tenantId, accessToken })
  const settings = await requireIdTokens(ctx, tenantId, 'use')
  requireRunning(verification)
  if (verification.outcome !== 'valid') {
    throw invalidAccessToken()
  }
  const { audience = settings.audiences[0] ?? '' } = request
  if (!settings.audiences.includes(audience)) {
    throw invalidRequest('This tenant issues no ID tokens for this audience.', [
      {
        path: 'audience',
        problem: 'Send one of `id_tokens.audiences` of the settings, or leave it out.',
      },
    ])
  }
  const { claims } = verification.token
  if (
    !ctx.unlimited &&
    ctx.idTokens.requests.add(claims.sid, ctx.now()) > ID_TOKENS_PER_MINUTE_PER_SESSION
  ) {
    throw rateLimited(
      { window: 'minute', limit: ID_TOKENS_PER_MINUTE_PER_SESSION, now: ctx.now() },
      (seconds) =>
        `A session may request ${ID_TOKENS_PER_MINUTE_PER_SESSION} ID tokens a minute. Use one until it expires. Try again in ${seconds} s.`,
    )
  }
  const known = ctx.idTokens.find(claims, audience, ctx.now())
  const { token, exp } = known ?? (await issueIdToken(ctx, claims, audience, settings.claims ?? {}))
  return { token, expiresIn: exp - Math.floor(ctx.now() / 1_000) }
}

async function issueIdToken(
  ctx: Context,
  accessToken: AccessTokenClaims,
  audience: string,
  claims: Claims,
) {
  const { tenant_id: tenantId, rid, sid } = accessToken
  const session = await ctx.stores.sessions.findClaims({ id: rid, tenantId }, sid)
  // Ended on another instance, whose revocation has not arrived yet.
  if (session === null) {
    throw invalidAccessToken()
  }
  const issuer = idTokenIssuer(ctx.baseUrl, tenantId)
  const own = { signedInAt: session.createdAt, claims: [claims, session.claims] }
  return ctx.idTokens.issue({ issuer, audience, accessToken, ...own }, ctx.now())
}

/** Also while the tenant is paused or suspended: a verifier that got no keys might not ask again when it is over. */
export async function readIdTokenKeys(
  ctx: Pick<Context, 'directory' | 'idTokens' | 'now'>,
  tenantId: TenantId,
) {
  await requireIdTokens(ctx, tenantId, 'diagnose')
  return ctx.idTokens.publicKeys(tenantId, ctx.now())
}

async function requireIdTokens(
  { directory }: Pick<Context, 'directory'>,
  tenantId: TenantId,
  action: 'use' | 'diagnose',
) {
  const { idTokens } = await directory.requireProvisioned(tenantId, action)
  if (idTokens !== null) {
    return idTokens
  }
  throw new ApiError(
    'idTokensOff',
    'This tenant issues no ID tokens. Its owner switches them on with id_tokens: PATCH /api/social-login/settings.',
  )
}

export const invalidAccessToken = (): ApiError =>
  new ApiError(
    'invalidAccessToken',
    'The access token is invalid, expired or revoked. Refresh the session.',
  )
