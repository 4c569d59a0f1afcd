import { ACCOUNT_SESSION_MS } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { SignInId } from '../../domain/ids.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'

export interface SignedIn {
  /** The secret of the new session, for the cookie. */
  readonly session: string
  readonly next: string
}

/**
 * Completes a sign-in to an account. It creates a session and claims no tenant (spec, Authentication 6). The session is
 * always new and replaces the browser's previous one, which prevents session fixation.
 */
export async function finishAccountSignIn(
  ctx: Context,
  input: {
    readonly id: SignInId
    readonly requestSecrets: AuthRequestSecrets
    readonly currentUrl: URL
    readonly previousSession: string | null
  },
): Promise<SignedIn> {
  const signIn = await ctx.stores.accountSignIns.take(input.id, ctx.now())
  if (signIn === null) throw loginOver()
  const result = await ctx.identity.signIn({ ...input.requestSecrets, currentUrl: input.currentUrl })
  if (result.outcome !== 'identified') {
    throw new ApiError(
      'signInFailed',
      result.outcome === 'denied'
        ? 'You cancelled at Google, so you are not signed in.'
        : 'Google could not confirm who you are. Try again in a moment.',
    )
  }
  const now = ctx.now()
  const session = mintSecret('', ctx.random)
  await ctx.stores.transaction(async (stores) => {
    const account = await stores.accounts.signIn(result.profile, now)
    const previous =
      input.previousSession === null
        ? null
        : await stores.accountSessions.find(ctx.keyring.hashes('account-session', input.previousSession), now)
    if (previous !== null) await stores.accountSessions.end(previous.account.id, previous.id)
    await stores.accountSessions.add(
      ctx.keyring.hash('account-session', session),
      account.id,
      now,
      now + ACCOUNT_SESSION_MS,
    )
  })
  return { session, next: signIn.next }
}
