import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import { mcpResource } from '../../domain/oauth/resource.ts'
import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { Context } from '../context.ts'

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
  if (!hasTokenFormat('access', presented)) throw invalidAccessToken()
  const now = ctx.now()
  const grant = await ctx.stores.oauthTokens.findGrant(ctx.keyring.hashes('oauth-access', presented), now)
  // The token is for another resource, such as the retired {base_url}/mcp/manage (RFC 8707).
  if (grant === null || grant.resource !== mcpResource(ctx.baseUrl)) throw invalidAccessToken()
  const before = now - TOUCH_EVERY_MS
  if (grant.lastUsedAt <= before) await ctx.stores.oauthGrants.touch(grant.id, now, before)
  return grant
}

const invalidAccessToken = (): ApiError =>
  new ApiError(
    'invalidAccessToken',
    'This access token is unknown, expired or revoked, or it is for another resource. Refresh it, or sign in again.',
  )
