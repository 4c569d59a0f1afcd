import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import { mcpResource } from '../../domain/oauth/resource.ts'
import { hasTokenFormat } from '../../domain/oauth/token.ts'
import type { Context } from '../context.ts'

/** Last use is for people, and writing it down is a write. */
const TOUCH_EVERY_MS = 60_000

/**
 * An OAuth access token → the grant it was issued under, with the scopes of the token itself. Asked of the database on
 * every call, so that a revocation counts from the next one on. Anything that is not good here and now is refused the
 * same way; a database that is away is Unavailable, and says nothing about the token.
 */
export async function authenticateBearer(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now' | 'baseUrl'>,
  presented: string,
): Promise<Grant> {
  if (!hasTokenFormat('access', presented)) throw invalidAccessToken()
  const now = ctx.now()
  const grant = await ctx.stores.oauthTokens.findGrant(ctx.keyring.hashes('oauth-access', presented), now)
  // A token for another resource is somebody else's, or one of the retired {base_url}/mcp/manage (RFC 8707).
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
