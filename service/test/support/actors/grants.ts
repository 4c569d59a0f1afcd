import { randomBytes } from 'node:crypto'
import { SCOPES, type Scope } from '@gatehouse-auth/contract'
import {
  MCP_ACCESS_TOKEN_MS,
  MCP_REFRESH_TOKEN_MS,
  type Subject,
} from '../../../src/domain/oauth/grant.ts'
import { mintOAuthSecret } from '../../../src/domain/oauth/token.ts'
import { googleProfile } from '../postgres/storage.ts'
import type { World } from '../world.ts'

interface GrantOptions {
  readonly scopes?: readonly Scope[]
  readonly clientId?: string
  readonly resource?: string
}

/** Issues an access token directly in the database, for tests that are not about the OAuth flow. */
export async function tokenFor(
  world: World,
  subject: Subject,
  options: GrantOptions = {},
): Promise<string> {
  const { ctx } = world.app
  const { scopes = SCOPES, clientId = 'test-client', resource = `${world.baseUrl}/mcp` } = options
  const now = ctx.now()
  const grantId = await ctx.stores.oauthGrants.add({
    clientId,
    clientName: 'Test client',
    subject,
    scopes,
    resource,
    createdAt: now,
    endsAt: now + MCP_REFRESH_TOKEN_MS,
  })
  const token = mintOAuthSecret('access', randomBytes)
  const refresh = mintOAuthSecret('refresh', randomBytes)
  world.secrets.add(token)
  await ctx.stores.oauthTokens.issue(
    grantId,
    { hash: ctx.keyring.hash('oauth-access', token), scopes, expiresAt: now + MCP_ACCESS_TOKEN_MS },
    { hash: ctx.keyring.hash('oauth-refresh', refresh), expiresAt: now + MCP_REFRESH_TOKEN_MS },
  )
  return token
}

/** The account of this sample user. */
export async function accountOf(
  world: World,
  name = 'ada',
): Promise<Subject & { kind: 'account' }> {
  const { id } = await world.app.ctx.stores.accounts.signIn(googleProfile(name), world.clock.now())
  return { kind: 'account', accountId: id }
}

/** A guest, and the secret of its cookie. */
export function newGuest(world: World): {
  readonly subject: Subject & { kind: 'guest' }
  readonly secret: string
} {
  const secret = randomBytes(32).toString('base64url')
  world.secrets.add(secret)
  return {
    secret,
    subject: { kind: 'guest', guestHash: world.app.ctx.keyring.hash('guest', secret) },
  }
}
