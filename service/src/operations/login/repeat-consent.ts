import type { AttemptId, SessionId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import { deriveLoginCode, type LoginCode } from '../../domain/login/login-code.ts'
import { isConsentToken } from '../../domain/login/request-secrets.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { createTokenPair, type TokenPair } from '../sessions/open-session.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { requireCodeCallback, requireRegisteredCallback } from './attempts.ts'
import { attemptOfBrowser, type ConsentDecision } from './consent.ts'
import { type LoginResult, loginRedirect } from './redirects.ts'

/**
 * The URL that the same decision of the same browser got less than a minute ago, from the database: the first request may
 * have been handled by another instance. null: this is not a repeat. Changes nothing.
 */
export function repeatConsent(ctx: Context, decision: ConsentDecision): Promise<string | null> {
  // In a transaction, because on SQLite the first decision may be part of a group that is not committed yet: a transaction
  // sees it, and returns after the group's commit.
  return ctx.stores.transaction((stores) => redirectOfFirst({ ...ctx, stores }, decision))
}

interface Reading extends Omit<Context, 'stores'> {
  readonly stores: TransactionStores
}

async function redirectOfFirst(ctx: Reading, decision: ConsentDecision): Promise<string | null> {
  const browser = decision.browser ?? ''
  const attempt = await attemptOfBrowser(ctx, decision.attemptId, decision.browser)
  if (!isConsentToken(ctx.keyring, decision.csrf, attempt.id, browser)) {
    return null
  }

  const first = attempt.decision
  if (first === null || !isRepeatable(first.at, ctx.now())) {
    return null
  }
  const wasAllowed = first.outcome !== 'consent_denied'
  if (decision.allow !== wasAllowed) {
    return null
  }

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)
  const result = await resultOfFirst(ctx, { tenant, resource, attempt, first, browser })
  return result === null ? null : loginRedirect(ctx, redirectUri, attempt, result)
}

interface Repeated {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly attempt: Attempt
  readonly first: NonNullable<Attempt['decision']>
  readonly browser: string
}

/** null: the app must not get it again. */
async function resultOfFirst(
  ctx: Reading,
  { tenant, resource, attempt, first, browser }: Repeated,
): Promise<LoginResult | null> {
  if (first.outcome === 'consent_denied') {
    return { error: 'access_denied' }
  }
  if (first.outcome === 'login_failed') {
    return { error: 'login_failed' }
  }

  const { id, challenge } = attempt
  if (attempt.linkSessionId !== null) {
    return { linked: attempt.provider }
  }
  if (challenge !== null) {
    const code = await firstCode(ctx, resource, { id, challenge, browser })
    return code === null ? null : { code }
  }

  requireCodeCallback(resource, attempt)
  return firstPair(ctx, tenant, resource, first.sessionId)
}

interface IssuedCode {
  readonly id: AttemptId
  readonly challenge: string
  readonly browser: string
}

/** The code of the first decision, derived again with the master key of that time. */
async function firstCode(
  { keyring, stores }: Reading,
  resource: Resource,
  issued: IssuedCode,
): Promise<string | null> {
  for (const kid of keyring.kids) {
    const code = deriveLoginCode(keyring, issued, kid)
    const found = await stores.loginCodes.find(resource, keyring.hashes('login-code', code))
    if (found !== null) {
      return (await canBeExchanged(stores, resource, found)) ? code : null
    }
  }
  return null
}

/**
 * Not once it was used: a second use ends the session. With an Idempotency-Key it gets the first pair, until a refresh: the
 * first exchange may be that of a double click.
 */
async function canBeExchanged(
  { sessions }: Pick<TransactionStores, 'sessions'>,
  resource: Resource,
  { usedAt, sessionId }: LoginCode,
): Promise<boolean> {
  if (usedAt === null) {
    return true
  }
  if (sessionId === null) {
    return false
  }
  const session = await sessions.find(resource, sessionId)
  return session?.generation === 1 && session.idempotencyHash !== null
}

/**
 * The first pair of a session, derived again. null once the session was refreshed or ended: the app would store a spent
 * refresh token, and its next refresh would end the session.
 */
async function firstPair(
  ctx: Reading,
  tenant: Tenant,
  resource: Resource,
  sessionId: SessionId | null,
): Promise<TokenPair | null> {
  if (sessionId === null) {
    return null
  }
  const session = await ctx.stores.sessions.find(resource, sessionId)
  if (session === null || session.generation !== 1) {
    return null
  }
  const user = await ctx.stores.users.find(resource, session.userId)
  if (user === null) {
    return null
  }
  return createTokenPair(ctx, { tenant, resource, user }, session)
}
