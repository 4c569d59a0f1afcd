import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { fitsChallenge } from '../../domain/oauth/pkce.ts'
import { readResource } from '../../domain/oauth/resource.ts'
import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { issueOnce } from './issue-once.ts'
import { type IssuedTokens, invalidGrant, revokeReplayed } from './issue-tokens.ts'

export interface ExchangeCode {
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
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
  if (code === null || code.grant.clientId !== input.clientId) throw invalidGrant()
  const { grant } = code
  if (code.usedAt !== null) throw await revokeReplayed(ctx, grant, now)
  if (code.expiresAt <= now) throw invalidGrant()
  if (code.redirectUri !== input.redirectUri) {
    throw new OAuthError('invalid_grant', 'The redirect_uri is not the one that the code was sent to.')
  }
  if (!fitsChallenge(input.verifier, code.challenge)) {
    throw new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  }
  requireSameResource(ctx.baseUrl, input.resource, grant.resource)

  const use = (stores: TransactionStores): Promise<boolean> => stores.oauthCodes.use(code.hash, now)
  const issued = await issueOnce(ctx, use, { grant, scopes: grant.scopes, now, presented: null })
  // A concurrent request used the code first, so this is a replay.
  if (issued === null) throw await revokeReplayed(ctx, grant, now)
  return issued
}

/** A token request may repeat the granted resource but name no other (RFC 8707; better-auth GHSA-p2fr-6hmx-4528). */
export function requireSameResource(baseUrl: string, requested: string | undefined, granted: string): void {
  if (readResource(baseUrl, requested) !== granted) {
    throw new OAuthError('invalid_target', 'The only resource here is {base_url}/mcp.')
  }
}
