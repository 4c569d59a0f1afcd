import type { LoginError } from '@gatehouse/contract'
import { consentDenied, type LoginEnd, loginFailed } from '../../domain/events/auth-event.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { admits, type Identified } from '../../domain/login/admission.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import type { Context } from '../context.ts'
import { noteClientHealth } from '../providers/client-health.ts'
import { providerOfAttempt } from '../providers/login-provider.ts'
import { loginOver } from './attempt-errors.ts'
import { closeAttempt } from './close-attempt.ts'
import { loginRedirect } from './login-redirect.ts'

export type FinishedSignIn =
  /** The user is identified: show the consent page. */
  | { readonly next: 'consent'; readonly attemptId: AttemptId }
  /** The sign-in failed or was denied at the provider: redirect to the app. */
  | { readonly next: 'app'; readonly location: string }

/** Handles the provider's response for a login to an app: identifies the user, or ends the attempt. */
export async function finishSignIn(
  ctx: Context,
  { id, requestSecrets, search, displayName }: ProviderResponse,
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
      const rejected = await rejectionOf(ctx, attempt, signIn)
      if (rejected !== null)
        return closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, rejected, ctx.now()))
      if (!(await ctx.stores.attempts.identify(attempt, signIn.profile, ctx.now()))) throw loginOver()
      return { next: 'consent', attemptId: attempt.id }
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
}

type Rejection = Parameters<typeof loginFailed>[1]

/**
 * Why the app's owner does not let this user in, before any consent page; null: they do. Without social login, the caller's
 * next step fails.
 */
async function rejectionOf(
  { stores }: Context,
  { tenantId }: Attempt,
  identified: Identified,
): Promise<Rejection | null> {
  const resource = await stores.resources.findActive(tenantId)
  if (resource === null) return null
  if (!admits(resource, identified)) return { stage: 'userinfo', errorCode: 'not_allowed' }
  const { issuer, subject } = identified.profile
  const known = await stores.users.findBySubject(resource, issuer, subject)
  return known?.blockedAt ? { stage: 'user_upsert', errorCode: 'user_blocked' } : null
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
