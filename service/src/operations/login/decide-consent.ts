import type { LoginFailureCode, LoginFailureStage } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { consentDenied, loginFailed } from '../../domain/events/auth-event.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { deriveLoginCode, LOGIN_CODE_MS } from '../../domain/login/login-code.ts'
import { isConsentToken } from '../../domain/login/request-secrets.ts'
import { SUBJECT_MAX_CHARACTERS } from '../../domain/sessions/user.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { handleOverLimit } from '../limits/handle-over-limit.ts'
import { lockResource, requireTenant } from '../tenants/require-tenant.ts'
import { decisionNotOurs, isLoginOver, loginOver } from './attempt-errors.ts'
import { closeAttempt, requireRegisteredCallback } from './close-attempt.ts'
import type { ConsentDecision } from './consent-decision.ts'
import { loginRedirect } from './login-redirect.ts'
import { identifiedAttempt } from './read-consent.ts'
import { rememberConsent } from './remember-consent.ts'
import { repeatConsent } from './repeat-consent.ts'
import { authorizeUser, signInUser, UserBlocked } from './sign-in-user.ts'

type IdentifiedAttempt = Attempt & { readonly profile: Profile }

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
    if (repeated === null) throw error
    return repeated
  }
}

async function decideOnce(ctx: Context, decision: ConsentDecision): Promise<string> {
  const attempt = await identifiedAttempt(ctx, decision.attemptId, decision.browser)
  if (!isConsentToken(ctx.keyring, decision.csrf, attempt.id, decision.browser ?? '')) throw decisionNotOurs()
  if (!decision.allow) {
    const redirectUri = await closeAttempt(ctx, attempt, consentDenied(attempt, 'user', ctx.now()))
    return loginRedirect(redirectUri, attempt, { error: 'access_denied' })
  }
  if (attempt.profile.subject.length > SUBJECT_MAX_CHARACTERS) return fail(ctx, attempt, 'subject_too_long')

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  try {
    return await ctx.stores.transaction((stores) => allow(ctx, stores, tenant, attempt, decision))
  } catch (error) {
    if (error instanceof OverLimit) return resolveOverLimit(ctx, tenant, attempt, error)
    if (error instanceof UserBlocked) return fail(ctx, attempt, 'user_blocked')
    if (error instanceof ApiError || error instanceof Unavailable) throw error
    ctx.log.error('a user could not be stored', error)
    return fail(ctx, attempt, 'storage_error')
  }
}

async function allow(
  ctx: Context,
  stores: TransactionStores,
  tenant: Tenant,
  attempt: IdentifiedAttempt,
  decision: ConsentDecision,
): Promise<string> {
  const now = ctx.now()
  if (!(await stores.attempts.decide(attempt, 'authorize', now))) throw loginOver(attempt.redirectUri)
  const resource = await lockResource(stores, tenant)
  const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)
  const identified = { tenant, resource, profile: attempt.profile, attempt, now }
  const { id, challenge } = attempt
  if (challenge !== null) {
    const { user } = await authorizeUser(ctx, stores, identified)
    await rememberConsent(stores, { tenant, resource, attempt, userId: user.id, shown: decision.shown, now })
    const code = deriveLoginCode(ctx.keyring, { id, challenge, browser: decision.browser ?? '' })
    const hash = ctx.keyring.hash('login-code', code)
    const expiresAt = now + LOGIN_CODE_MS
    await stores.loginCodes.add(resource, { hash, userId: user.id, challenge, redirectUri, expiresAt })
    return loginRedirect(redirectUri, attempt, { code })
  }
  const { pair } = await signInUser(ctx, stores, identified)
  await stores.attempts.setSession(attempt, pair.sessionId)
  return loginRedirect(redirectUri, attempt, pair)
}

async function resolveOverLimit(
  ctx: Context,
  tenant: Tenant,
  attempt: IdentifiedAttempt,
  over: OverLimit,
): Promise<string> {
  // The stored-users limit pauses a guest tenant; an owner's app gets login_failed for this login instead.
  if (over.window === 'users' && tenant.owner !== null) return fail(ctx, attempt, 'user_limit')
  throw await handleOverLimit(ctx, tenant, over)
}

async function fail(ctx: Context, attempt: IdentifiedAttempt, errorCode: LoginFailureCode): Promise<string> {
  const stage: LoginFailureStage = 'user_upsert'
  const redirectUri = await closeAttempt(ctx, attempt, loginFailed(attempt, { stage, errorCode }, ctx.now()))
  return loginRedirect(redirectUri, attempt, { error: 'login_failed' })
}
