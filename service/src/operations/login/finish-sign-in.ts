import type { LoginError } from '@gatehouse/contract'
import { consentDenied, type LoginEnd, loginFailed } from '../../domain/events/auth-event.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { admits, type Identified } from '../../domain/login/admission.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import { canRemember } from '../../domain/login/remembered-consent.ts'
import type { Context } from '../context.ts'
import { noteClientHealth } from '../providers/client-health.ts'
import { providerOfAttempt } from '../providers/login-provider.ts'
import { loginOver } from './attempt-errors.ts'
import { closeAttempt } from './close-attempt.ts'
import { loginRedirect } from './login-redirect.ts'
import { skipConsent } from './skip-consent.ts'

export type FinishedSignIn =
  /** The user is identified: show the consent page. */
  | { readonly next: 'consent'; readonly attemptId: AttemptId }
  /** The sign-in failed or was denied at the provider: redirect to the app. */
  | { readonly next: 'app'; readonly location: string }

/** Handles the provider's response for a login to an app: identifies the user, or ends the attempt. */
export async function finishSignIn(
  ctx: Context,
  { id, requestSecrets, search, displayName, browser }: ProviderResponse,
): Promise<FinishedSignIn> {
  const attempt = await ctx.stores.attempts.take(id, ctx.now())
  if (attempt === null) throw loginOver()

  const { identity, redirectUri, client } = await providerOfAttempt(ctx, attempt)
  // From the redirect URI of the request: with a relay, it is a URL of the app, and the provider compares it.
  const currentUrl = new URL(redirectUri + search)
  // Outside of any transaction, because the provider may be slow.
  const signIn = await identity.signIn({ ...requestSecrets, currentUrl, displayName })
  switch (signIn.outcome) {
    case 'identified': {
      await noteClientHealth(ctx, client, true)
      return askForConsent(ctx, attempt, signIn, browser)
    }
    case 'denied':
      return closeWithError(ctx, attempt, 'access_denied', consentDenied(attempt, 'provider', ctx.now()))
    case 'failed':
      if (signIn.errorCode === 'invalid_client') await noteClientHealth(ctx, client, false)
      ctx.log.warn(`sign-in failed at ${signIn.stage}: ${signIn.errorCode}`, signIn.cause)
      return closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, signIn, ctx.now()))
  }
}

export interface ProviderResponse {
  readonly id: AttemptId
  readonly requestSecrets: AuthRequestSecrets
  /** The query of the response. */
  readonly search: string
  readonly displayName: string | null
  /** The cookie of the browser. */
  readonly browser: string
}

/** Whom the app's owner does not let in gets no consent page. Neither does a login whose consent is remembered. */
async function askForConsent(
  ctx: Context,
  attempt: Attempt,
  identified: Identified,
  browser: string,
): Promise<FinishedSignIn> {
  const { stores } = ctx
  const { profile } = identified
  const resource = await stores.resources.findActive(attempt.tenantId)
  const reject = (rejection: Parameters<typeof loginFailed>[1]) =>
    closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, rejection, ctx.now()))
  if (resource !== null && !admits(resource, identified)) {
    return reject({ stage: 'userinfo', errorCode: 'not_allowed' })
  }
  const user = resource && (await stores.users.findBySubject(resource, profile.issuer, profile.subject))
  if (user?.blockedAt) return reject({ stage: 'user_upsert', errorCode: 'user_blocked' })
  const remember = resource !== null && canRemember({ resource, attempt })
  if (!(await stores.attempts.identify(attempt, { profile, remember }, ctx.now()))) throw loginOver()
  const skipped = resource && (await skipConsent(ctx, { resource, attempt, userId: user?.id ?? null, browser }))
  return skipped === null ? { next: 'consent', attemptId: attempt.id } : { next: 'app', location: skipped }
}

async function closeWithError(
  ctx: Context,
  attempt: Attempt,
  error: LoginError,
  event: LoginEnd,
): Promise<FinishedSignIn> {
  const redirectUri = await closeAttempt(ctx, attempt, event)
  return { next: 'app', location: loginRedirect(redirectUri, attempt, { error }) }
}
