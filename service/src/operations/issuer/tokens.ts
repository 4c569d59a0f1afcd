import { issuerOf } from '@gatehouse-auth/contract'
import type { TenantId } from '../../domain/ids.ts'
import { signJwt } from '../../domain/issuer/signing-key.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { AccessTokenClaims } from '../../domain/tokens/access-token.ts'
import type { Context } from '../context.ts'
import { exchangeLoginCode } from '../login/exchange-login-code.ts'
import type { TokenPair } from '../sessions/open-session.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import type { Client } from './authenticate-client.ts'

interface ExchangeOpenIdCode {
  readonly tenantId: TenantId
  readonly client: Client
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string | null
}

interface RefreshOpenIdSession {
  readonly tenantId: TenantId
  readonly refreshToken: string
}

/** What the token endpoint returns (OpenID Connect Core, section 3.1.3.3). */
export interface OpenIdTokens {
  readonly pair: TokenPair
  readonly expiresIn: number
  /** null: the request did not ask for `openid`. */
  readonly idToken: string | null
  /** undefined: as before. */
  readonly scope: string | undefined
  readonly rate: Rate | null
}

/** Exchanges the code of an OpenID request for the first pair of a session. */
export async function exchangeOpenIdCode(
  ctx: Context,
  { tenantId, client, code, redirectUri, verifier }: ExchangeOpenIdCode,
): Promise<OpenIdTokens> {
  // Before anything is used up: the first key of a tenant must be made, and that may fail.
  await ctx.signingKeys.current(tenantId)
  const proof = { kind: 'openid', redirectUri, verifier, hasKey: client.hasKey } as const
  const { pair, openId } = await exchangeLoginCode(ctx, {
    tenantId,
    code,
    proof,
    idempotencyKey: null,
  })

  const { scope = '', nonce = null } = openId ?? {}
  const accessToken = readClaims(ctx, tenantId, pair)
  return {
    pair,
    expiresIn: secondsLeft(ctx, accessToken),
    idToken: asksForIdToken(scope) ? await issueIdToken(ctx, accessToken, nonce) : null,
    scope,
    rate: null,
  }
}

const asksForIdToken = (scope: string): boolean => scope.split(' ').includes('openid')

/**
 * Every refresh of this endpoint sends this key, so that a second tab, and a retry after a lost response, get the same pair for a
 * minute (`classifySpentToken`). Libraries send no key of their own, and a tab that lost the race would stay signed out.
 */
const IDEMPOTENCY_KEY = 'openid-refresh'

/** Exchanges a refresh token. Without a nonce: the new ID token belongs to no request (OpenID Connect Core, section 12.2). */
export async function refreshOpenIdSession(
  ctx: Context,
  { tenantId, refreshToken }: RefreshOpenIdSession,
): Promise<OpenIdTokens> {
  // Before anything is used up: the first key of a tenant must be made, and that may fail.
  await ctx.signingKeys.current(tenantId)
  const { pair, rate } = await refreshSession(ctx, {
    tenantId,
    refreshToken,
    idempotencyKey: IDEMPOTENCY_KEY,
  })

  const accessToken = readClaims(ctx, tenantId, pair)
  return {
    pair,
    expiresIn: secondsLeft(ctx, accessToken),
    idToken: await issueIdToken(ctx, accessToken, null),
    scope: undefined,
    rate,
  }
}

function readClaims(ctx: Context, tenantId: TenantId, { accessToken }: TokenPair) {
  const read = ctx.accessTokens.read(tenantId, accessToken)
  if (read === null) {
    throw new Error('an access token of ours can not be read')
  }
  return read.claims
}

const secondsLeft = ({ now }: Context, { exp }: AccessTokenClaims): number =>
  exp - Math.floor(now() / 1_000)

/** As long as the access token: with five minutes, a client whose clock is six minutes late rejects it. */
async function issueIdToken(
  ctx: Context,
  accessToken: AccessTokenClaims,
  nonce: string | null,
): Promise<string> {
  const { tenant_id: tenantId, rid, sid } = accessToken
  const session = await ctx.stores.sessions.findClaims({ id: rid, tenantId }, sid)
  if (session === null) {
    throw new OAuthError('invalid_grant', 'The session has ended. The person signs in again.')
  }

  const { idTokens: settings } = await ctx.directory.requireProvisioned(tenantId)
  const payload = {
    ...ctx.idTokens.claims({
      issuer: issuerOf(ctx.baseUrl, tenantId),
      audience: tenantId,
      accessToken,
      signedInAt: session.createdAt,
      claims: [settings?.claims ?? {}, session.claims],
    }),
    ...(nonce === null ? {} : { nonce }),
    iat: Math.floor(ctx.now() / 1_000),
    exp: accessToken.exp,
  }
  return signJwt(await ctx.signingKeys.current(tenantId), payload)
}
