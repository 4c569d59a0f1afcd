import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { Context } from '../context.ts'

/**
 * Revokes the grant of an access or refresh token (RFC 7009). With a client id, only a token of that client is revoked.
 * Succeeds for unknown tokens too, and does not tell the difference.
 */
export async function revokeToken(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now'>,
  input: { readonly token: string; readonly clientId: string | undefined },
): Promise<void> {
  const grant = await findGrant(ctx, input.token)
  if (grant === null || (input.clientId !== undefined && input.clientId !== grant.clientId)) return
  await ctx.stores.oauthGrants.revoke(grant.id, ctx.now())
}

async function findGrant({ stores, keyring }: Pick<Context, 'stores' | 'keyring'>, token: string) {
  if (hasTokenFormat('access', token))
    return stores.oauthTokens.findGrantIgnoringExpiry(keyring.hashes('oauth-access', token))
  if (!hasTokenFormat('refresh', token)) return null
  const refresh = await stores.oauthTokens.findRefresh(keyring.hashes('oauth-refresh', token))
  return refresh?.grant ?? null
}
