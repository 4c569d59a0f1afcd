import type { LoginFailureCode, LoginFailureStage } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { consentDenied, loginFailed } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { deriveLoginCode, LOGIN_CODE_MS } from '../../domain/login/login-code.ts'
import { canRemember, consentHost } from '../../domain/login/remembered-consent.ts'
import { isConsentToken } from '../../domain/login/request-secrets.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { SUBJECT_MAX_CHARACTERS } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { handleOverLimit } from '../limits/count-auth-event.ts'
import { lockResource, requireTenant } from '../tenants/require-tenant.ts'
import {
  closeAttempt,
  decisionNotOurs,
  isLoginOver,
  loginOver,
  requireCodeCallback,
  requireRegisteredCallback,
} from './attempts.ts'
import { type ConsentDecision, identifiedAttempt } from './consent.ts'
import { addLinkedIdentity } from './link.ts'
import { loginRedirect } from './redirects.ts'
import { repeatConsent } from './repeat-consent.ts'
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
    if (!isLoginOver(error)) {
      throw error
    }
    const repeated = await repeatConsent(ctx, decision)
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
    const event = consentDenied(attempt, 'user', ctx.now())
    const redirectUri = await closeAttempt(ctx, attempt, event)
    return loginRedirect(ctx, redirectUri, attempt, { error: 'access_denied' })
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

/** Ends the attempt, and stores what the redirect to the app leads to. */
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
    return loginRedirect(ctx, redirectUri, attempt, { linked: attempt.provider })
  }

  requireCodeCallback(resource, attempt)
  const identified = { tenant, resource, profile: attempt.profile, attempt, now }
  if (attempt.challenge === null) {
    const { pair } = await signInUser(ctx, stores, identified)
    await stores.attempts.setSession(attempt, pair.sessionId)
    return loginRedirect(ctx, redirectUri, attempt, pair)
  }

  const { user } = await authorizeUser(ctx, stores, identified)
  await rememberConsent(stores, identified, user.id, decision.shown)
  const code = deriveLoginCode(ctx.keyring, {
    id: attempt.id,
    challenge: attempt.challenge,
    browser: decision.browser ?? '',
  })
  await stores.loginCodes.add(resource, {
    hash: ctx.keyring.hash('login-code', code),
    userId: user.id,
    challenge: attempt.challenge,
    openId: attempt.openId,
    redirectUri,
    expiresAt: now + LOGIN_CODE_MS,
  })
  return loginRedirect(ctx, redirectUri, attempt, { code })
}

interface Consented {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly attempt: Attempt
  readonly now: Instant
}

/**
 * Stores a press of Continue, in the transaction of the decision, if the page said so and the owner still wants it. `shown` is
 * what the page showed of the app; null: it did not say that Continue is remembered.
 */
async function rememberConsent(
  stores: Pick<TransactionStores, 'consents'>,
  { tenant, resource, attempt, now }: Consented,
  userId: UserId,
  shown: string | null,
): Promise<void> {
  if (shown === null || tenant.owner === null || !canRemember({ resource, attempt })) {
    return
  }
  await stores.consents.remember(resource, {
    userId,
    host: consentHost(attempt.redirectUri),
    provider: attempt.provider,
    browserHash: attempt.browserHash,
    brandHash: shown,
    at: now,
  })
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
  const event = loginFailed(attempt, { stage, errorCode }, ctx.now())
  const redirectUri = await closeAttempt(ctx, attempt, event)
  return loginRedirect(ctx, redirectUri, attempt, { error: 'login_failed', reason: errorCode })
}
