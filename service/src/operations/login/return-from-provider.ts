import { isAccountSignInId } from '../../domain/accounts/account.ts'
import { verifyState } from '../../domain/login/request-secrets.ts'
import { finishAccountSignIn, type SignedIn } from '../accounts/finish-sign-in.ts'
import type { Context } from '../context.ts'
import { loginOtherBrowser } from './attempt-errors.ts'
import { type FinishedSignIn, finishSignIn } from './finish-sign-in.ts'

export type ReturnedFromProvider = FinishedSignIn | ({ readonly next: 'account' } & { readonly signedIn: SignedIn })

export interface Return {
  /** Where the provider sent the browser, on our own base address. */
  readonly currentUrl: URL
  readonly browser: string | null
  /** The account session this browser already has, if any. */
  readonly accountSession: string | null
}

/** Google sent a browser back to the one address it knows. Which sign-in is it, and did this browser start it? */
export async function returnFromProvider(ctx: Context, input: Return): Promise<ReturnedFromProvider> {
  const { currentUrl, browser } = input
  const state = currentUrl.searchParams.get('state') ?? ''
  const returned = browser === null ? { ours: false as const } : verifyState(ctx.keyring, state, browser)
  if (!returned.ours) throw loginOtherBrowser()
  const { attemptId: id, requestSecrets } = returned
  if (!isAccountSignInId(id)) return finishSignIn(ctx, { id, requestSecrets, currentUrl })
  return {
    next: 'account',
    signedIn: await finishAccountSignIn(ctx, { id, requestSecrets, currentUrl, earlier: input.accountSession }),
  }
}
