import type { Scope } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import {
  GRANT_LIFETIME_MS,
  type Grant,
  MCP_ACCESS_TOKEN_MS,
  MCP_REFRESH_TOKEN_MS,
  mcpResource,
  narrowScopes,
  onlyResource,
  readResource,
} from '../../domain/oauth/grant.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import {
  fitsChallenge,
  hasTokenFormat,
  mintOAuthSecret,
  nextRefreshToken,
} from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'

interface ExchangeCode {
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly scopes: readonly Scope[]
  readonly grant: Grant
}

/**
 * Exchanges an authorization code for the first token pair. All bindings of the code are checked before it is used, so
 * that a thief without the verifier cannot invalidate it. One transaction uses the code and issues the pair.
 */
export async function exchangeCode(ctx: Context, input: ExchangeCode): Promise<IssuedTokens> {
  const now = ctx.now()
  const code = hasTokenFormat('code', input.code)
    ? await ctx.stores.oauthCodes.find(ctx.keyring.hashes('oauth-code', input.code))
    : null
  if (code === null || code.grant.clientId !== input.clientId) {
    throw invalidGrant()
  }

  const { grant } = code
  if (code.usedAt !== null) {
    throw await revokeReplayed(ctx, grant, now)
  }
  if (code.expiresAt <= now) {
    throw invalidGrant()
  }
  if (code.redirectUri !== input.redirectUri) {
    throw new OAuthError(
      'invalid_grant',
      'The redirect_uri is not the one that the code was sent to.',
    )
  }
  if (!fitsChallenge(input.verifier, code.challenge)) {
    throw new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  }
  requireSameResource(ctx.baseUrl, input.resource, grant.resource)

  const use = (stores: TransactionStores): Promise<boolean> => stores.oauthCodes.use(code.hash, now)
  const issued = await issueOnce(ctx, use, { grant, scopes: grant.scopes, now, presented: null })
  // A concurrent request used the code first, so this is a replay.
  if (issued === null) {
    throw await revokeReplayed(ctx, grant, now)
  }
  return issued
}

/** A token request may repeat the granted resource but name no other (RFC 8707; better-auth GHSA-p2fr-6hmx-4528). */
function requireSameResource(
  baseUrl: string,
  requested: string | undefined,
  granted: string,
): void {
  if (readResource(baseUrl, requested) !== granted) {
    throw new OAuthError('invalid_target', onlyResource(baseUrl))
  }
}

interface RefreshGrant {
  readonly clientId: string
  readonly refreshToken: string
  /** May narrow the scopes of this access token; the grant keeps its scopes. */
  readonly scope: string | undefined
  readonly resource: string | undefined
}

/**
 * Exchanges a refresh token for the next pair. Exactly one of concurrent requests rotates it; the others, and a retry
 * within the grace period, get the same successor.
 */
export async function refreshGrant(ctx: Context, input: RefreshGrant): Promise<IssuedTokens> {
  const now = ctx.now()
  const presented = input.refreshToken
  const token = hasTokenFormat('refresh', presented)
    ? await ctx.stores.oauthTokens.findRefresh(ctx.keyring.hashes('oauth-refresh', presented))
    : null
  if (token === null || token.grant.clientId !== input.clientId) {
    throw invalidGrant()
  }

  const { grant } = token
  if (token.usedAt === null && token.expiresAt <= now) {
    throw invalidGrant()
  }
  requireSameResource(ctx.baseUrl, input.resource, grant.resource)
  const scopes = narrowScopes(grant.scopes, input.scope)
  if (scopes === null) {
    throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.')
  }

  if (token.usedAt !== null) {
    return repeatRefresh(ctx, { grant, scopes, now, presented, usedAt: token.usedAt })
  }
  const use = (stores: TransactionStores): Promise<boolean> =>
    stores.oauthTokens.useRefresh(token.hash, now)
  const issued = await issueOnce(ctx, use, { grant, scopes, now, presented })
  return issued ?? repeatRefresh(ctx, { grant, scopes, now, presented, usedAt: now })
}

interface Repeat {
  readonly grant: Grant
  readonly scopes: readonly Scope[]
  readonly now: Instant
  /** The spent refresh token. */
  readonly presented: string
  readonly usedAt: Instant
}

/**
 * Answers a spent refresh token. Coding agents run several sessions that share one stored token, and each would present it
 * (decision 44). Within the grace period they get the current refresh token and an access token of their own: no second
 * chain begins. Later the token may be stolen, and all tokens of the grant are revoked (RFC 9700, section 4.14).
 */
async function repeatRefresh(ctx: Context, repeat: Repeat): Promise<IssuedTokens> {
  const { grant, scopes, now, presented, usedAt } = repeat
  const age = now - usedAt
  ctx.counts.countAgentRepeat(age)

  const isInGrace = age <= ctx.agentRefreshGraceMs && ctx.agentRefreshGraceMs > 0
  const current = isInGrace ? await currentToken(ctx, presented) : null
  if (current === null) {
    throw await revokeReplayed(ctx, grant, now)
  }

  return ctx.stores.transaction(async (stores) => {
    // The grant has ended, or was revoked meanwhile.
    if (!(await stores.oauthGrants.extend(grant.id, current.expiresAt, now))) {
      throw invalidGrant()
    }

    const accessToken = mintOAuthSecret('access', ctx.random)
    const expiresAt = Math.min(now + MCP_ACCESS_TOKEN_MS, current.expiresAt)
    const hash = ctx.keyring.hash('oauth-access', accessToken)
    await stores.oauthTokens.issueAccess(grant.id, { hash, scopes, expiresAt })
    return {
      accessToken,
      refreshToken: current.token,
      expiresInSeconds: Math.floor((expiresAt - now) / 1_000),
      scopes,
      grant,
    }
  })
}

/** Sessions of one agent may rotate a shared token this often within the grace period. */
const MAX_STEPS = 8

interface Successor {
  readonly token: string
  readonly usedAt: Instant | null
  readonly expiresAt: Instant
}

/** Follows the successors to the one that is not spent; null if there is none, or if it is too far away. */
async function currentToken(
  ctx: Pick<Context, 'keyring' | 'stores'>,
  presented: string,
): Promise<Successor | null> {
  let token = presented
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = await successorOf(ctx, token)
    if (next === null || next.usedAt === null) {
      return next
    }
    token = next.token
  }
  return null
}

/** Derived with any master key, because the key may have been rotated meanwhile. */
async function successorOf(
  { keyring, stores }: Pick<Context, 'keyring' | 'stores'>,
  presented: string,
): Promise<Successor | null> {
  for (const kid of keyring.kids) {
    const token = nextRefreshToken(keyring, presented, kid)
    const row = await stores.oauthTokens.findRefresh(keyring.hashes('oauth-refresh', token))
    if (row !== null) {
      return { token, usedAt: row.usedAt, expiresAt: row.expiresAt }
    }
  }
  return null
}

interface Issuing {
  readonly grant: Grant
  readonly scopes: readonly Scope[]
  readonly now: Instant
  /** The refresh token that is exchanged; null for the first pair of a grant. */
  readonly presented: string | null
}

/**
 * Uses a code or refresh token and issues a pair for it, in one transaction; null when it was already used.
 *
 * Confirmed: if the connection broke during the commit and the response were 503, the client would retry with a used token,
 * which would look like a replay and revoke the grant (keycloak#49213).
 */
function issueOnce(
  ctx: Pick<Context, 'stores' | 'keyring' | 'random'>,
  use: (stores: TransactionStores) => Promise<boolean>,
  issuing: Issuing,
): Promise<IssuedTokens | null> {
  return ctx.stores.confirmedTransaction(async (stores) => {
    if (!(await use(stores))) {
      return null
    }
    return issueTokens(ctx, stores, issuing)
  })
}

/** Issues a token pair, in the transaction that uses the code or the previous refresh token. */
async function issueTokens(
  ctx: Pick<Context, 'keyring' | 'random'>,
  stores: TransactionStores,
  { grant, scopes, now, presented }: Issuing,
): Promise<IssuedTokens> {
  const refreshUntil = Math.min(now + MCP_REFRESH_TOKEN_MS, grant.createdAt + GRANT_LIFETIME_MS)
  const accessUntil = Math.min(now + MCP_ACCESS_TOKEN_MS, refreshUntil)

  // The grant was revoked meanwhile.
  if (!(await stores.oauthGrants.extend(grant.id, refreshUntil, now))) {
    throw invalidGrant()
  }
  const accessToken = mintOAuthSecret('access', ctx.random)
  const refreshToken =
    presented === null
      ? mintOAuthSecret('refresh', ctx.random)
      : nextRefreshToken(ctx.keyring, presented)
  await stores.oauthTokens.issue(
    grant.id,
    { hash: ctx.keyring.hash('oauth-access', accessToken), scopes, expiresAt: accessUntil },
    { hash: ctx.keyring.hash('oauth-refresh', refreshToken), expiresAt: refreshUntil },
  )
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: Math.floor((accessUntil - now) / 1_000),
    scopes,
    grant,
  }
}

/** A code or refresh token was used twice, so it may be stolen: revokes all tokens of the grant. */
async function revokeReplayed(
  ctx: Pick<Context, 'stores'>,
  grant: Grant,
  now: number,
): Promise<OAuthError> {
  await ctx.stores.oauthGrants.revoke(grant.id, now)
  return new OAuthError(
    'invalid_grant',
    'This was used before, so it may have been copied. The grant was revoked; ask the user to allow access again. If several sessions of this client share one stored token, store each new one before the next call.',
  )
}

const invalidGrant = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'This is unknown, expired or revoked, or it was given to another client.',
  )

/**
 * Revokes the grant of an access or refresh token (RFC 7009). With a client id, only a token of that client is revoked.
 * Succeeds for unknown tokens too, and does not tell the difference.
 */
export async function revokeToken(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now'>,
  input: { readonly token: string; readonly clientId: string | undefined },
): Promise<void> {
  const grant = await findGrant(ctx, input.token)
  if (grant === null || (input.clientId !== undefined && input.clientId !== grant.clientId)) {
    return
  }
  await ctx.stores.oauthGrants.revoke(grant.id, ctx.now())
}

async function findGrant(
  { stores, keyring }: Pick<Context, 'stores' | 'keyring'>,
  token: string,
): Promise<Pick<Grant, 'id' | 'clientId'> | null> {
  if (hasTokenFormat('access', token)) {
    return stores.oauthTokens.findGrantIgnoringExpiry(keyring.hashes('oauth-access', token))
  }
  if (!hasTokenFormat('refresh', token)) {
    return null
  }
  const refresh = await stores.oauthTokens.findRefresh(keyring.hashes('oauth-refresh', token))
  return refresh?.grant ?? null
}

/** `lastUsedAt` is only displayed, so it is not written on every call. */
const TOUCH_EVERY_MS = 60_000

/**
 * Returns the grant of an OAuth access token, with the scopes of that token. Queries the database on every call, so that
 * a revocation applies to the next one. Every invalid token gives the same error.
 */
export async function authenticateBearer(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now' | 'baseUrl'>,
  presented: string,
): Promise<Grant> {
  if (!hasTokenFormat('access', presented)) {
    throw invalidAccessToken()
  }
  const now = ctx.now()
  const grant = await ctx.stores.oauthTokens.findGrant(
    ctx.keyring.hashes('oauth-access', presented),
    now,
  )
  // The token is for another resource, such as the retired {base_url}/mcp/manage (RFC 8707).
  if (grant === null || grant.resource !== mcpResource(ctx.baseUrl)) {
    throw invalidAccessToken()
  }
  const before = now - TOUCH_EVERY_MS
  if (grant.lastUsedAt <= before) {
    await ctx.stores.oauthGrants.touch(grant.id, now, before)
  }
  return grant
}

const invalidAccessToken = (): ApiError =>
  new ApiError(
    'invalidAccessToken',
    'This access token is unknown, expired or revoked, or it is for another resource. Refresh it, or sign in again.',
  )
