import type { Scope } from '@gatehouse/contract'
import { GRANT_LIFETIME_MS, type Grant, MCP_ACCESS_TOKEN_MS, MCP_REFRESH_TOKEN_MS } from '../../domain/oauth/grant.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { mintOAuthSecret, nextRefreshToken } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly scopes: readonly Scope[]
  readonly grant: Grant
}

export interface Issuing {
  readonly grant: Grant
  readonly scopes: readonly Scope[]
  readonly now: number
  /** The refresh token that is exchanged; null for the first pair of a grant. */
  readonly presented: string | null
}

/** Issues a token pair, in the transaction that uses the code or the previous refresh token. */
export async function issueTokens(
  ctx: Pick<Context, 'keyring' | 'random'>,
  stores: TransactionStores,
  { grant, scopes, now, presented }: Issuing,
): Promise<IssuedTokens> {
  const refreshUntil = Math.min(now + MCP_REFRESH_TOKEN_MS, grant.createdAt + GRANT_LIFETIME_MS)
  const accessUntil = Math.min(now + MCP_ACCESS_TOKEN_MS, refreshUntil)
  // The grant was revoked meanwhile.
  if (!(await stores.oauthGrants.extend(grant.id, refreshUntil, now))) throw invalidGrant()
  const accessToken = mintOAuthSecret('access', ctx.random)
  const refreshToken =
    presented === null ? mintOAuthSecret('refresh', ctx.random) : nextRefreshToken(ctx.keyring, presented)
  await stores.oauthTokens.issue(
    grant.id,
    { hash: ctx.keyring.hash('oauth-access', accessToken), scopes, expiresAt: accessUntil },
    { hash: ctx.keyring.hash('oauth-refresh', refreshToken), expiresAt: refreshUntil },
  )
  return { accessToken, refreshToken, expiresInSeconds: Math.floor((accessUntil - now) / 1_000), scopes, grant }
}

export const invalidGrant = (): OAuthError =>
  new OAuthError('invalid_grant', 'This is unknown, expired or revoked, or it was given to another client.')

/** A code or refresh token was used twice, so it may be stolen: revokes all tokens of the grant. */
export async function revokeReplayed(ctx: Pick<Context, 'stores'>, grant: Grant, now: number): Promise<OAuthError> {
  await ctx.stores.oauthGrants.revoke(grant.id, now)
  return new OAuthError(
    'invalid_grant',
    'This was used before, so it may have been copied. The grant was revoked; ask the user to allow access again. If several sessions of this client share one stored token, store each new one before the next call.',
  )
}
