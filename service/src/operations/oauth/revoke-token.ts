import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { Context } from '../context.ts'

/**
 * Ends the grant behind a token, whichever of the two it is (RFC 7009). Whoever holds a token may give it up; a client
 * that names itself may give up its own only. Whether there was anything to end is not told.
 */
export async function revokeToken(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now'>,
  input: { readonly token: string; readonly clientId: string | undefined },
): Promise<void> {
  const grant = await grantOf(ctx, input.token)
  if (grant === null || (input.clientId !== undefined && input.clientId !== grant.clientId)) return
  await ctx.stores.oauthGrants.revoke(grant.id, ctx.now())
}

async function grantOf({ stores, keyring }: Pick<Context, 'stores' | 'keyring'>, token: string) {
  if (hasTokenFormat('access', token))
    return stores.oauthTokens.findGrantIgnoringExpiry(keyring.hashes('oauth-access', token))
  if (!hasTokenFormat('refresh', token)) return null
  const refresh = await stores.oauthTokens.findRefresh(keyring.hashes('oauth-refresh', token))
  return refresh?.grant ?? null
}
