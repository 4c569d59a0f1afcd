import { MCP_ACCESS_TOKEN_MS } from '../../domain/oauth/grant.ts'
import { mintOAuthSecret, nextRefreshToken } from '../../domain/oauth/token.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { type IssuedTokens, type Issuing, invalidGrant, revokeReplayed } from './issue-tokens.ts'

/** Sessions of one agent may rotate a shared token this often within the grace period. */
const MAX_STEPS = 8

type Repeat = Issuing & { readonly presented: string; readonly usedAt: Instant }

/**
 * Answers a spent refresh token. Coding agents run several sessions that share one stored token, and each would present it
 * (decision 44). Within the grace period they get the current refresh token and an access token of their own: no second
 * chain begins. Later the token may be stolen, and all tokens of the grant are revoked (RFC 9700, section 4.14).
 */
export async function repeatRefresh(ctx: Context, repeat: Repeat): Promise<IssuedTokens> {
  const { grant, scopes, now, usedAt } = repeat
  const age = now - usedAt
  ctx.counts.countAgentRepeat(age)
  const current =
    age > ctx.agentRefreshGraceMs || ctx.agentRefreshGraceMs === 0 ? null : await currentToken(ctx, repeat)
  if (current === null) throw await revokeReplayed(ctx, grant, now)
  if (current.expiresAt <= now) throw invalidGrant()
  return ctx.stores.transaction(async (stores) => {
    // The grant was revoked meanwhile.
    if (!(await stores.oauthGrants.extend(grant.id, current.expiresAt, now))) throw invalidGrant()
    const accessToken = mintOAuthSecret('access', ctx.random)
    const expiresAt = Math.min(now + MCP_ACCESS_TOKEN_MS, current.expiresAt)
    const hash = ctx.keyring.hash('oauth-access', accessToken)
    await stores.oauthTokens.issueAccess(grant.id, { hash, scopes, expiresAt })
    const expiresInSeconds = Math.floor((expiresAt - now) / 1_000)
    return { accessToken, refreshToken: current.token, expiresInSeconds, scopes, grant }
  })
}

/** Follows the successors to the one that is not spent; null if there is none, or if it is too far away. */
async function currentToken(
  ctx: Pick<Context, 'keyring' | 'stores'>,
  { presented }: Repeat,
): Promise<{ readonly token: string; readonly expiresAt: Instant } | null> {
  let token: string | null = presented
  for (let step = 0; step < MAX_STEPS && token !== null; step++) {
    const next = await successorOf(ctx, token)
    if (next?.usedAt === null) return next
    token = next?.token ?? null
  }
  return null
}

/** Derived with any master key, because the key may have been rotated meanwhile. */
async function successorOf({ keyring, stores }: Pick<Context, 'keyring' | 'stores'>, presented: string) {
  for (const kid of keyring.kids) {
    const token = nextRefreshToken(keyring, presented, kid)
    const row = await stores.oauthTokens.findRefresh(keyring.hashes('oauth-refresh', token))
    if (row !== null) return { token, usedAt: row.usedAt, expiresAt: row.expiresAt }
  }
  return null
}
