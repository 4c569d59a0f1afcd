import type { Attempt } from '../../domain/login/attempt.ts'
import { deriveLoginCode } from '../../domain/login/login-code.ts'
import { isConsentToken } from '../../domain/login/request-secrets.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { createTokenPair, type TokenPair } from '../sessions/token-pair.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { requireRegisteredCallback } from './close-attempt.ts'
import type { ConsentDecision } from './consent-decision.ts'
import { loginRedirect } from './login-redirect.ts'
import { attemptOfBrowser } from './read-consent.ts'

/**
 * The URL that the same decision of the same browser got less than a minute ago, from the database: the first request may
 * have been handled by another instance. null: this is not a repeat. Changes nothing.
 */
export const repeatConsent = (ctx: Context, decision: ConsentDecision): Promise<string | null> =>
  // In a transaction, because on SQLite the first decision may be part of a group that is not committed yet: a transaction
  // sees it, and returns after the group's commit.
  ctx.stores.transaction((stores) => redirectOfFirst({ ...ctx, stores }, decision))

interface Reading extends Omit<Context, 'stores'> {
  readonly stores: TransactionStores
}

async function redirectOfFirst(ctx: Reading, decision: ConsentDecision): Promise<string | null> {
  const attempt = await attemptOfBrowser(ctx, decision.attemptId, decision.browser)
  if (!isConsentToken(ctx.keyring, decision.csrf, attempt.id, decision.browser ?? '')) return null
  if (attempt.decision === null || !isRepeatable(attempt.decision.at, ctx.now())) return null
  const { outcome, sessionId } = attempt.decision
  if (decision.allow !== (outcome !== 'consent_denied')) return null

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)
  switch (outcome) {
    case 'consent_denied':
      return loginRedirect(redirectUri, attempt, { error: 'access_denied' })
    case 'login_failed':
      return loginRedirect(redirectUri, attempt, { error: 'login_failed' })
    case 'authorize': {
      if (attempt.challenge !== null) {
        const code = await firstCode(ctx, resource, { ...attempt, challenge: attempt.challenge }, decision)
        return code && loginRedirect(redirectUri, attempt, { code })
      }
      const pair = await firstPair(ctx, tenant, resource, sessionId)
      return pair && loginRedirect(redirectUri, attempt, pair)
    }
  }
}

/** The code of the first decision, derived again with the master key of that time. */
async function firstCode(
  ctx: Reading,
  resource: Resource,
  { id, challenge }: Pick<Attempt, 'id'> & { readonly challenge: string },
  { browser }: ConsentDecision,
): Promise<string | null> {
  for (const kid of ctx.keyring.kids) {
    const code = deriveLoginCode(ctx.keyring, { id, challenge, browser: browser ?? '' }, kid)
    if ((await ctx.stores.loginCodes.find(resource, ctx.keyring.hashes('login-code', code))) !== null) return code
  }
  return null
}

/**
 * The first pair of a session, derived again. null once the session was refreshed or ended: the app would store a spent
 * refresh token, and its next refresh would end the session.
 */
async function firstPair(
  ctx: Reading,
  tenant: Tenant,
  resource: Resource,
  sessionId: NonNullable<Attempt['decision']>['sessionId'],
): Promise<TokenPair | null> {
  const session = sessionId === null ? null : await ctx.stores.sessions.find(resource, sessionId)
  if (session === null || session.generation !== 1) return null
  const user = await ctx.stores.users.find(resource, session.userId)
  return user && createTokenPair(ctx, { tenant, resource, user }, session)
}
