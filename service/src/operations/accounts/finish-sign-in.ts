import { ACCOUNT_SESSION_MS } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { SignInId } from '../../domain/ids.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'

export interface SignedIn {
  /** The new session's secret, for the cookie. */
  readonly session: string
  readonly next: string
}

/**
 * Google sent an owner back. Signing in begins a session and nothing else: it moves no tenant (spec, Authentication 6).
 * The session is always a new one, and the one this browser had before ends, so nobody can plant theirs beforehand.
 */
export async function finishAccountSignIn(
  ctx: Context,
  input: {
    readonly id: SignInId
    readonly requestSecrets: AuthRequestSecrets
    readonly currentUrl: URL
    readonly earlier: string | null
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
    const earlier =
      input.earlier === null
        ? null
        : await stores.accountSessions.find(ctx.keyring.hashes('account-session', input.earlier), now)
    if (earlier !== null) await stores.accountSessions.end(earlier.account.id, earlier.id)
    await stores.accountSessions.add(
      ctx.keyring.hash('account-session', session),
      account.id,
      now,
      now + ACCOUNT_SESSION_MS,
    )
  })
  return { session, next: signIn.next }
}
