import type { LoginError } from '@gatehouse/contract'
import { consentDenied, loginFailed, type NewAuthEvent } from '../../domain/events/auth-event.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { type Attempt, returnToParameter } from '../../domain/login/attempt.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import { redirectUrl } from '../../domain/login/redirect-url.ts'
import type { Context } from '../context.ts'
import { loginOver } from './attempt-errors.ts'
import { closeAttempt } from './close-attempt.ts'

export type FinishedSignIn =
  /** We know who it is; now they are asked. */
  | { readonly next: 'consent'; readonly attemptId: AttemptId }
  /** It went wrong or they said no at the provider: back to the app. */
  | { readonly next: 'app'; readonly location: string }

/** Google sent the browser back: who is it? */
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

  // No transaction is open here: the provider may take its time.
  const signIn = await ctx.identity.signIn({ ...requestSecrets, currentUrl })
  switch (signIn.outcome) {
    case 'identified':
      if (!(await ctx.stores.attempts.identify(attempt.id, signIn.profile, ctx.now()))) throw loginOver()
      return { next: 'consent', attemptId: attempt.id }
    case 'denied':
      return goBack(ctx, attempt, 'access_denied', consentDenied(attempt, 'provider', ctx.now()))
    case 'failed':
      ctx.log.warn(`sign-in failed at ${signIn.stage}: ${signIn.errorCode}`, signIn.cause)
      return goBack(ctx, attempt, 'login_failed', loginFailed(attempt, signIn, ctx.now()))
  }
}

async function goBack(ctx: Context, attempt: Attempt, error: LoginError, event: NewAuthEvent): Promise<FinishedSignIn> {
  const redirectUri = await closeAttempt(ctx, attempt, event)
  return { next: 'app', location: redirectUrl(redirectUri, { error, ...returnToParameter(attempt) }) }
}
