import { isTestSignInId } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { isAttemptId } from '../../domain/login/attempt.ts'
import { verifyState } from '../../domain/login/request-secrets.ts'
import { isMeSignInId } from '../../domain/me/person.ts'
import { finishAccountSignIn, type SignedIn } from '../accounts/finish-sign-in.ts'
import type { Context } from '../context.ts'
import { finishMeSignIn } from '../me/finish-sign-in.ts'
import { finishTestSignIn, type TestedProvider } from '../providers/finish-test-sign-in.ts'
import { recordRefusal } from '../refusals/record-refusal.ts'
import { loginOtherBrowser } from './attempt-errors.ts'
import { type FinishedSignIn, finishSignIn } from './finish-sign-in.ts'

export type ReturnedFromProvider =
  | FinishedSignIn
  | { readonly next: 'account'; readonly signedIn: SignedIn }
  /** `session`: the secret of the new session, for the cookie. */
  | { readonly next: 'me'; readonly session: string }
  | { readonly next: 'tested'; readonly tested: TestedProvider }

export interface Return {
  /** The path that the response arrived at. */
  readonly callbackPath: string
  /** Its query. */
  readonly search: string
  /** The name that came beside the response, unsigned (Apple). */
  readonly displayName: string | null
  readonly browser: string | null
  /** The browser's account session, if it has one. */
  readonly accountSession: string | null
  /** The browser's session on `/me`, if it has one. */
  readonly meSession: string | null
  /** What the browser runs on. Only a session of an account keeps it. */
  readonly device: string | null
  /** For the audit. */
  readonly requestId: string
}

/** Handles a provider's response for every kind of sign-in. Only the browser that started a sign-in can complete it. */
export async function returnFromProvider(ctx: Context, input: Return): Promise<ReturnedFromProvider> {
  const { search, browser, displayName } = input
  const state = new URLSearchParams(search).get('state') ?? ''
  const verified =
    browser === null ? { valid: false as const } : verifyState(ctx.keyring, state, browser, input.callbackPath)
  if (browser === null || !verified.valid) {
    await recordForAttempt(ctx, state.split('.')[0] ?? '', loginOtherBrowser())
    throw loginOtherBrowser()
  }
  const { attemptId: id, requestSecrets } = verified
  const { accountSession, meSession, requestId } = input
  // First, because an attempt's id is any 22 characters: it may start as the others do.
  if (isAttemptId(id)) {
    try {
      return await finishSignIn(ctx, { id, requestSecrets, search, displayName, browser })
    } catch (error) {
      await recordForAttempt(ctx, id, error)
      throw error
    }
  }
  const response = { id, requestSecrets, search }
  if (isTestSignInId(id)) {
    return { next: 'tested', tested: await finishTestSignIn(ctx, { ...response, accountSession, requestId }) }
  }
  if (isMeSignInId(id)) {
    const { callbackPath } = input
    return { next: 'me', session: await finishMeSignIn(ctx, { ...response, callbackPath, previousSession: meSession }) }
  }
  return {
    next: 'account',
    signedIn: await finishAccountSignIn(ctx, { ...response, previousSession: accountSession, device: input.device }),
  }
}

/** The attempt is only used to find the app whose developer is told. */
async function recordForAttempt(ctx: Context, id: string, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || !isAttemptId(id)) return
  const tenantId = await ctx.stores.attempts.tenantOf(id)
  if (tenantId !== null) recordRefusal(ctx, { tenantId, step: 'callback' }, error)
}
