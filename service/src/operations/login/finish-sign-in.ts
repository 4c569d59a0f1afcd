import type { LoginError } from '@gatehouse/contract'
import { consentDenied, type LoginEnd, loginFailed } from '../../domain/events/auth-event.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { admits, type Identified } from '../../domain/login/admission.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import type { Context } from '../context.ts'
import { loginOver } from './attempt-errors.ts'
import { closeAttempt } from './close-attempt.ts'
import { loginRedirect } from './login-redirect.ts'

export type FinishedSignIn =
  /** The user is identified: show the consent page. */
  | { readonly next: 'consent'; readonly attemptId: AttemptId }
  /** The sign-in failed or was denied at the provider: redirect to the app. */
  | { readonly next: 'app'; readonly location: string }

/** Handles Google's redirect for a login to an app: identifies the user, or ends the attempt. */
export async function finishSignIn(
  ctx: Context,
  {
    id,
    requestSecrets,
    currentUrl,
  }: { readonly id: AttemptId; readonly requestSecrets: AuthRequestSecrets; readonly currentUrl: URL },
): Promise<FinishedSignIn> {
  const attempt = await ctx.stores.attempts.take(id, ctx.now())
  if (attempt === null) throw loginOver()

  // Outside of any transaction, because the provider may be slow.
  const signIn = await ctx.identity.signIn({ ...requestSecrets, currentUrl })
  switch (signIn.outcome) {
    case 'identified':
      if (!(await isAdmitted(ctx, attempt, signIn))) {
        const failure = { stage: 'userinfo', errorCode: 'not_allowed' } as const
        return closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, failure, ctx.now()))
      }
      if (!(await ctx.stores.attempts.identify(attempt, signIn.profile, ctx.now()))) throw loginOver()
      return { next: 'consent', attemptId: attempt.id }
    case 'denied':
      return closeWithError(ctx, attempt, 'access_denied', consentDenied(attempt, 'provider', ctx.now()))
    case 'failed':
      ctx.log.warn(`sign-in failed at ${signIn.stage}: ${signIn.errorCode}`, signIn.cause)
      return closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, signIn, ctx.now()))
  }
}

/** Whether the app's owner lets this user in. Without social login, the caller's next step fails. */
async function isAdmitted(ctx: Context, { tenantId }: Attempt, identified: Identified): Promise<boolean> {
  const resource = await ctx.stores.resources.findActive(tenantId)
  return resource === null || admits(resource, identified)
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
