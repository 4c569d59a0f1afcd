import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { narrowScopes } from '../../domain/oauth/scope-request.ts'
import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { requireSameResource } from './exchange-code.ts'
import { issueOnce } from './issue-once.ts'
import { type IssuedTokens, invalidGrant } from './issue-tokens.ts'
import { repeatRefresh } from './repeat-refresh.ts'

export interface RefreshGrant {
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
  if (token === null || token.grant.clientId !== input.clientId) throw invalidGrant()
  const { grant } = token
  if (token.usedAt === null && token.expiresAt <= now) throw invalidGrant()
  requireSameResource(ctx.baseUrl, input.resource, grant.resource)
  const scopes = narrowScopes(grant.scopes, input.scope)
  if (scopes === null) throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.')

  if (token.usedAt !== null) return repeatRefresh(ctx, { grant, scopes, now, presented, usedAt: token.usedAt })
  const use = (stores: TransactionStores): Promise<boolean> => stores.oauthTokens.useRefresh(token.hash, now)
  const issued = await issueOnce(ctx, use, { grant, scopes, now, presented })
  return issued ?? repeatRefresh(ctx, { grant, scopes, now, presented, usedAt: now })
}
