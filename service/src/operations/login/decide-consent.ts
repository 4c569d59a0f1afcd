import type { LoginFailureCode, LoginFailureStage } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { consentDenied, loginFailed } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { deriveLoginCode, LOGIN_CODE_MS } from '../../domain/login/login-code.ts'
import {
  canRemember,
  consentHost,
  isConsentRemembered,
  maySkipConsent,
} from '../../domain/login/remembered-consent.ts'
import { consentToken, isConsentToken } from '../../domain/login/request-secrets.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { SUBJECT_MAX_CHARACTERS } from '../../domain/users/user.ts'
import { appOf, hashOfApp } from '../brand/brand.ts'
import type { Context } from '../context.ts'
import { handleOverLimit } from '../limits/count-auth-event.ts'
import { createTokenPair, type TokenPair } from '../sessions/open-session.ts'
import { lockResource, requireResource, requireTenant } from '../tenants/require-tenant.ts'
import {
  closeAttempt,
  decisionNotOurs,
  isLoginOver,
  loginOver,
  requireCodeCallback,
  requireRegisteredCallback,
} from './attempts.ts'
import { attemptOfBrowser, type ConsentDecision, identifiedAttempt } from './consent.ts'
import { addLinkedIdentity } from './link.ts'
import { loginRedirect } from './redirects.ts'
import { authorizeUser, NotAdmitted, signInUser } from './sign-in-user.ts'

/**
 * Returns the URL in the app to redirect to. Consent stores the user, creates a session or a one-time code, and ends the
 * attempt, in one transaction, so a decision that is sent twice takes effect once. The second one, also a concurrent one,
 * gets the result of the first: the browser follows the response to its last request.
 */
export async function decideConsent(ctx: Context, decision: ConsentDecision): Promise<string> {
  try {
    return await decideOnce(ctx, decision)
  } catch (error) {
    const repeated = isLoginOver(error) ? await repeatConsent(ctx, decision) : null
    if (repeated === null) {
      throw error
    }
    return repeated
  }
}

async function decideOnce(ctx: Context, decision: ConsentDecision): Promise<string> {
  const attempt = await identifiedAttempt(ctx, decision.attemptId, decision.browser)
  if (!isConsentToken(ctx.keyring, decision.csrf, attempt.id, decision.browser ?? '')) {
    throw decisionNotOurs()
  }
  if (!decision.allow) {
    const redirectUri = await closeAttempt(ctx, attempt, consentDenied(attempt, 'user', ctx.now()))
    return loginRedirect(redirectUri, attempt, { error: 'access_denied' })
  }
  if (attempt.profile.subject.length > SUBJECT_MAX_CHARACTERS) {
    return fail(ctx, attempt, 'subject_too_long')
  }

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  try {
    return await ctx.stores.transaction((stores) => allow(ctx, stores, tenant, attempt, decision))
  } catch (error) {
    if (error instanceof OverLimit) {
      return resolveOverLimit(ctx, tenant, attempt, error)
    }
    if (error instanceof NotAdmitted) {
      return fail(ctx, attempt, error.message)
    }
    if (error instanceof ApiError || error instanceof Unavailable) {
      throw error
    }
    ctx.log.error('a user could not be stored', error)
    return fail(ctx, attempt, 'storage_error')
  }
}

type IdentifiedAttempt = Attempt & { readonly profile: Profile }

async function allow(
  ctx: Context,
  stores: TransactionStores,
  tenant: Tenant,
  attempt: IdentifiedAttempt,
  decision: ConsentDecision,
): Promise<string> {
  const now = ctx.now()
  const resource = await lockResource(stores, tenant)
  if (!(await stores.attempts.decide(attempt, 'authorize', now))) {
    throw loginOver(attempt.redirectUri)
  }
  const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)
  if (attempt.linkSessionId !== null) {
    await addLinkedIdentity({ ...ctx, stores }, attempt, decision.requestId)
    return loginRedirect(redirectUri, attempt, { linked: attempt.provider })
  }
  requireCodeCallback(resource, attempt)
  const identified = { tenant, resource, profile: attempt.profile, attempt, now }
  const { id, challenge } = attempt
  if (challenge !== null) {
    const { user } = await authorizeUser(ctx, stores, identified)
    await rememberConsent(stores, {
      tenant,
      resource,
      attempt,
      userId: user.id,
      shown: decision.shown,
      now,
    })
    const code = deriveLoginCode(ctx.keyring, { id, challenge, browser: decision.browser ?? '' })
    const hash = ctx.keyring.hash('login-code', code)
    const expiresAt = now + LOGIN_CODE_MS
    await stores.loginCodes.add(resource, {
      hash,
      userId: user.id,
      challenge,
      redirectUri,
      expiresAt,
    })
    return loginRedirect(redirectUri, attempt, { code })
  }
  const { pair } = await signInUser(ctx, stores, identified)
  await stores.attempts.setSession(attempt, pair.sessionId)
  return loginRedirect(redirectUri, attempt, pair)
}

interface Consented {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly attempt: Attempt
  readonly userId: UserId
  /** What the page showed of the app, if it said that Continue is remembered. */
  readonly shown: string | null
  readonly now: Instant
}

/** Stores a press of Continue, in the transaction of the decision, if the page said so and the owner still wants it. */
async function rememberConsent(
  stores: Pick<TransactionStores, 'consents'>,
  { tenant, resource, attempt, userId, shown, now }: Consented,
): Promise<void> {
  if (shown === null || tenant.owner === null || !canRemember({ resource, attempt })) {
    return
  }
  const { redirectUri, provider, browserHash } = attempt
  const key = { userId, host: consentHost(redirectUri), provider }
  await stores.consents.remember(resource, { ...key, browserHash, brandHash: shown, at: now })
}

async function resolveOverLimit(
  ctx: Context,
  tenant: Tenant,
  attempt: IdentifiedAttempt,
  over: OverLimit,
): Promise<string> {
  // The stored-users limit pauses a guest tenant; an owner's app gets login_failed for this login instead.
  if (over.window === 'users' && tenant.owner !== null) {
    return fail(ctx, attempt, 'user_limit')
  }
  throw await handleOverLimit(ctx, tenant, over)
}

async function fail(
  ctx: Context,
  attempt: IdentifiedAttempt,
  errorCode: LoginFailureCode,
): Promise<string> {
  const stage: LoginFailureStage = errorCode.startsWith('not_') ? 'userinfo' : 'user_upsert'
  const redirectUri = await closeAttempt(
    ctx,
    attempt,
    loginFailed(attempt, { stage, errorCode }, ctx.now()),
  )
  return loginRedirect(redirectUri, attempt, { error: 'login_failed' })
}

/**
 * The URL that the same decision of the same browser got less than a minute ago, from the database: the first request may
 * have been handled by another instance. null: this is not a repeat. Changes nothing.
 */
const repeatConsent = (ctx: Context, decision: ConsentDecision): Promise<string | null> =>
  // In a transaction, because on SQLite the first decision may be part of a group that is not committed yet: a transaction
  // sees it, and returns after the group's commit.
  ctx.stores.transaction((stores) => redirectOfFirst({ ...ctx, stores }, decision))

interface Reading extends Omit<Context, 'stores'> {
  readonly stores: TransactionStores
}

async function redirectOfFirst(ctx: Reading, decision: ConsentDecision): Promise<string | null> {
  const attempt = await attemptOfBrowser(ctx, decision.attemptId, decision.browser)
  if (!isConsentToken(ctx.keyring, decision.csrf, attempt.id, decision.browser ?? '')) {
    return null
  }
  if (attempt.decision === null || !isRepeatable(attempt.decision.at, ctx.now())) {
    return null
  }
  const { outcome, sessionId } = attempt.decision
  if (decision.allow !== (outcome !== 'consent_denied')) {
    return null
  }

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)
  switch (outcome) {
    case 'consent_denied':
      return loginRedirect(redirectUri, attempt, { error: 'access_denied' })
    case 'login_failed':
      return loginRedirect(redirectUri, attempt, { error: 'login_failed' })
    case 'authorize': {
      if (attempt.linkSessionId !== null) {
        return loginRedirect(redirectUri, attempt, { linked: attempt.provider })
      }
      if (attempt.challenge !== null) {
        const code = await firstCode(
          ctx,
          resource,
          { ...attempt, challenge: attempt.challenge },
          decision,
        )
        return code && loginRedirect(redirectUri, attempt, { code })
      }
      requireCodeCallback(resource, attempt)
      const pair = await firstPair(ctx, tenant, resource, sessionId)
      return pair && loginRedirect(redirectUri, attempt, pair)
    }
  }
}

/**
 * The code of the first decision, derived again with the master key of that time. null once it was used: a second use ends the
 * session. With an Idempotency-Key it gets the first pair, until a refresh: the first exchange may be that of a double click.
 */
async function firstCode(
  ctx: Reading,
  resource: Resource,
  { id, challenge }: Pick<Attempt, 'id'> & { readonly challenge: string },
  { browser }: ConsentDecision,
): Promise<string | null> {
  for (const kid of ctx.keyring.kids) {
    const code = deriveLoginCode(ctx.keyring, { id, challenge, browser: browser ?? '' }, kid)
    const found = await ctx.stores.loginCodes.find(resource, ctx.keyring.hashes('login-code', code))
    if (found === null) {
      continue
    }
    if (found.usedAt === null) {
      return code
    }
    const session =
      found.sessionId === null ? null : await ctx.stores.sessions.find(resource, found.sessionId)
    return session?.generation === 1 && session.idempotencyHash !== null ? code : null
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
  if (session === null || session.generation !== 1) {
    return null
  }
  const user = await ctx.stores.users.find(resource, session.userId)
  return user && createTokenPair(ctx, { tenant, resource, user }, session)
}

interface SkippableConsent {
  readonly resource: Resource
  readonly attempt: Attempt
  /** null: a new user, who has allowed nothing yet. */
  readonly userId: UserId | null
  readonly browser: string
}

/**
 * Allows a login whose consent is remembered, as a press of Continue would: the same checks, limits and events. Returns the
 * URL in the app to redirect to; null: show the page.
 */
export async function skipConsent(ctx: Context, consent: SkippableConsent): Promise<string | null> {
  if (!(await isRemembered(ctx, consent))) {
    return null
  }
  const { attempt, browser } = consent
  const csrf = consentToken(ctx.keyring, attempt.id, browser)
  try {
    return await decideConsent(ctx, {
      attemptId: attempt.id,
      browser,
      csrf,
      allow: true,
      shown: null,
      requestId: '',
    })
  } catch (error) {
    // Nothing was consumed: on the page, the person can try again.
    if (
      error instanceof Unavailable ||
      (error instanceof ApiError && error.code === 'rateLimited')
    ) {
      return null
    }
    throw error
  }
}

/** Reads one row for a login that may be remembered, and what the page would show only if there is such a row. */
async function isRemembered(
  ctx: Context,
  { resource, attempt, userId, browser }: SkippableConsent,
): Promise<boolean> {
  if (userId === null || !maySkipConsent({ resource, attempt })) {
    return false
  }
  const key = { userId, host: consentHost(attempt.redirectUri), provider: attempt.provider }
  const consent = await ctx.stores.consents.find(
    resource,
    key,
    ctx.keyring.hashes('browser', browser),
  )
  if (consent === null) {
    return false
  }
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const brandHash = hashOfApp(tenant, await appOf(ctx, tenant, attempt.redirectUri))
  return isConsentRemembered(
    { resource, attempt, owned: tenant.owner !== null, consent, brandHash },
    ctx.now(),
  )
}
