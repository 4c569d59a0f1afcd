import { isAccountSignInId } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { isAttemptId } from '../../domain/login/attempt.ts'
import { verifyState } from '../../domain/login/request-secrets.ts'
import { isMeSignInId } from '../../domain/me/person.ts'
import { finishAccountSignIn, type SignedIn } from '../accounts/finish-sign-in.ts'
import type { Context } from '../context.ts'
import { finishMeSignIn } from '../me/finish-sign-in.ts'
import { recordRefusal } from '../refusals/record-refusal.ts'
import { loginOtherBrowser } from './attempt-errors.ts'
import { type FinishedSignIn, finishSignIn } from './finish-sign-in.ts'

export type ReturnedFromProvider =
  | FinishedSignIn
  | { readonly next: 'account'; readonly signedIn: SignedIn }
  /** `session`: the secret of the new session, for the cookie. */
  | { readonly next: 'me'; readonly session: string }

export interface Return {
  /** The callback URL with its query, on our base URL. */
  readonly currentUrl: URL
  readonly browser: string | null
  /** The browser's account session, if it has one. */
  readonly accountSession: string | null
  /** The browser's session on `/me`, if it has one. */
  readonly meSession: string | null
}

/** Handles Google's redirect for every kind of sign-in. Only the browser that started a sign-in can complete it. */
export async function returnFromProvider(ctx: Context, input: Return): Promise<ReturnedFromProvider> {
  const { currentUrl, browser } = input
  const state = currentUrl.searchParams.get('state') ?? ''
  const verified = browser === null ? { valid: false as const } : verifyState(ctx.keyring, state, browser)
  if (!verified.valid) {
    await recordForAttempt(ctx, state.split('.')[0] ?? '', loginOtherBrowser())
    throw loginOtherBrowser()
  }
  const { attemptId: id, requestSecrets } = verified
  if (isMeSignInId(id)) {
    const previousSession = input.meSession
    return { next: 'me', session: await finishMeSignIn(ctx, { id, requestSecrets, currentUrl, previousSession }) }
  }
  if (!isAccountSignInId(id)) {
    try {
      return await finishSignIn(ctx, { id, requestSecrets, currentUrl })
    } catch (error) {
      await recordForAttempt(ctx, id, error)
      throw error
    }
  }
  return {
    next: 'account',
    signedIn: await finishAccountSignIn(ctx, { id, requestSecrets, currentUrl, previousSession: input.accountSession }),
  }
}

/** The attempt is only used to find the app whose developer is told. */
async function recordForAttempt(ctx: Context, id: string, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || !isAttemptId(id)) return
  const tenantId = await ctx.stores.attempts.tenantOf(id)
  if (tenantId !== null) recordRefusal(ctx, { tenantId, step: 'callback' }, error)
}
