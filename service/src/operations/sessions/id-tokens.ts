import {
  type Claims,
  ID_TOKENS_PER_MINUTE_PER_SESSION,
  type IdTokenSettings,
  issuerOf,
} from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import type { SessionId, TenantId } from '../../domain/ids.ts'
import type { AccessTokenClaims } from '../../domain/tokens/access-token.ts'
import type { IssuedIdToken } from '../../domain/tokens/id-token.ts'
import type { Context } from '../context.ts'
import { rateLimited } from '../limits/limit-requests.ts'
import { requireRunning, verifyAccessToken } from './verify-access-token.ts'

interface IdTokenRequest {
  readonly tenantId: TenantId
  readonly accessToken: string
  readonly audience?: string | undefined
}

interface CreatedIdToken {
  readonly token: string
  /** In seconds. */
  readonly expiresIn: number
}

/**
 * Issues a token that other systems verify by themselves, for an access token that verify accepts. It is not recorded as an
 * event.
 */
export async function createIdToken(
  ctx: Context,
  request: IdTokenRequest,
): Promise<CreatedIdToken> {
  const { tenantId, accessToken } = request
  const verification = verifyAccessToken(ctx, { tenantId, accessToken })
  const settings = await requireIdTokens(ctx, tenantId)
  requireRunning(verification)
  if (verification.outcome !== 'valid') {
    throw invalidAccessToken()
  }

  const audience = requireAudience(settings, request.audience)
  const { claims } = verification.token
  limitRequests(ctx, claims.sid)

  const known = ctx.idTokens.find(claims, audience, ctx.now())
  const { token, exp } = known ?? (await issueIdToken(ctx, claims, audience, settings.claims ?? {}))
  return { token, expiresIn: exp - Math.floor(ctx.now() / 1_000) }
}

/** The first audience if the request names none. */
function requireAudience({ audiences }: IdTokenSettings, requested: string | undefined): string {
  const audience = requested ?? audiences[0] ?? ''
  if (!audiences.includes(audience)) {
    throw invalidRequest('This tenant issues no ID tokens for this audience.', [
      {
        path: 'audience',
        problem: 'Send one of `id_tokens.audiences` of the settings, or leave it out.',
      },
    ])
  }
  return audience
}

function limitRequests({ unlimited, idTokens, now }: Context, sessionId: SessionId): void {
  if (unlimited) {
    return
  }
  const limit = ID_TOKENS_PER_MINUTE_PER_SESSION
  if (idTokens.requests.add(sessionId, now()) > limit) {
    throw rateLimited(
      { window: 'minute', limit, now: now() },
      (seconds) =>
        `A session may request ${limit} ID tokens a minute. Use one until it expires. Try again in ${seconds} s.`,
    )
  }
}

async function issueIdToken(
  ctx: Context,
  accessToken: AccessTokenClaims,
  audience: string,
  ownerClaims: Claims,
): Promise<IssuedIdToken> {
  const { tenant_id: tenantId, rid, sid } = accessToken
  const session = await ctx.stores.sessions.findClaims({ id: rid, tenantId }, sid)
  // Ended on another instance, whose revocation has not arrived yet.
  if (session === null) {
    throw invalidAccessToken()
  }
  return ctx.idTokens.issue(
    {
      issuer: issuerOf(ctx.baseUrl, tenantId),
      audience,
      accessToken,
      signedInAt: session.createdAt,
      claims: [ownerClaims, session.claims],
    },
    ctx.now(),
  )
}

async function requireIdTokens(
  { directory }: Pick<Context, 'directory'>,
  tenantId: TenantId,
): Promise<IdTokenSettings> {
  const { idTokens } = await directory.requireProvisioned(tenantId)
  if (idTokens === null) {
    throw new ApiError(
      'idTokensOff',
      'This tenant issues no ID tokens. Its owner switches them on with id_tokens: PATCH /api/social-login/settings.',
    )
  }
  return idTokens
}

export const invalidAccessToken = (): ApiError =>
  new ApiError(
    'invalidAccessToken',
    'The access token is invalid, expired or revoked. Refresh the session.',
  )
