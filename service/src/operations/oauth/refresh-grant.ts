import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { narrowScopes } from '../../domain/oauth/scope-request.ts'
import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { requireSameResource } from './exchange-code.ts'
import { issueOnce } from './issue-once.ts'
import { type IssuedTokens, invalidGrant, revokeReplayed } from './issue-tokens.ts'

export interface RefreshGrant {
  readonly clientId: string
  readonly refreshToken: string
  /** May narrow the scopes of this access token; the grant keeps its scopes. */
  readonly scope: string | undefined
  readonly resource: string | undefined
}

/**
 * Exchanges a refresh token for the next pair. Single use: a second use revokes the grant, because a public client
 * cannot prove that it is not the thief (RFC 9700, section 4.14).
 */
export async function refreshGrant(ctx: Context, input: RefreshGrant): Promise<IssuedTokens> {
  const now = ctx.now()
  const token = hasTokenFormat('refresh', input.refreshToken)
    ? await ctx.stores.oauthTokens.findRefresh(ctx.keyring.hashes('oauth-refresh', input.refreshToken))
    : null
  if (token === null || token.grant.clientId !== input.clientId) throw invalidGrant()
  const { grant } = token
  if (token.usedAt !== null) throw await revokeReplayed(ctx, grant, now)
  if (token.expiresAt <= now) throw invalidGrant()
  requireSameResource(ctx.baseUrl, input.resource, grant.resource)
  const scopes = narrowScopes(grant.scopes, input.scope)
  if (scopes === null) throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.')

  const use = (stores: TransactionStores): Promise<boolean> => stores.oauthTokens.useRefresh(token.hash, now)
  const issued = await issueOnce(ctx, use, { grant, scopes, now })
  if (issued === null) throw await revokeReplayed(ctx, grant, now)
  return issued
}
