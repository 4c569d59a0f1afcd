import { ACCOUNT_SESSION_MS } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { SignInId } from '../../domain/ids.ts'
import type { AuthRequestSecrets, Profile } from '../../domain/login/identity-provider.ts'
import { providerName } from '../../domain/providers/provider-label.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'
import { ownersGoogle, type VisitorProvider } from './visitor-provider.ts'

export interface SignedIn {
  /** The secret of the new session, for the cookie. */
  readonly session: string
  readonly next: string
}

interface Returned {
  readonly id: SignInId
  readonly requestSecrets: AuthRequestSecrets
  /** The query of the provider's response. */
  readonly search: string
}

/** Takes the sign-in, once, and asks the provider who it is. Throws if the provider doesn't say. */
export async function identifyVisitor(
  ctx: Context,
  { id, requestSecrets, search }: Returned,
  { name, identity, redirectUri }: VisitorProvider,
): Promise<{ readonly next: string; readonly profile: Profile }> {
  const signIn = await ctx.stores.accountSignIns.take(id, ctx.now())
  if (signIn === null) throw loginOver()
  const result = await identity.signIn({ ...requestSecrets, currentUrl: new URL(redirectUri + search) })
  if (result.outcome === 'identified') return { next: signIn.next, profile: result.profile }
  throw new ApiError(
    'signInFailed',
    result.outcome === 'denied'
      ? `You cancelled at ${providerName(name, null)}, so you are not signed in.`
      : `${providerName(name, null)} could not confirm who you are. Try again in a moment.`,
  )
}

/**
 * Completes a sign-in to an account. It creates a session and claims no tenant (spec, Authentication 6). The session is
 * always new and replaces the browser's previous one, which prevents session fixation.
 */
export async function finishAccountSignIn(
  ctx: Context,
  input: Returned & { readonly previousSession: string | null; readonly device: string | null },
): Promise<SignedIn> {
  const { next, profile } = await identifyVisitor(ctx, input, ownersGoogle(ctx))
  const now = ctx.now()
  const session = mintSecret('', ctx.random)
  await ctx.stores.transaction(async (stores) => {
    const account = await stores.accounts.signIn(profile, now)
    const previous =
      input.previousSession === null
        ? null
        : await stores.accountSessions.find(ctx.keyring.hashes('account-session', input.previousSession), now)
    if (previous !== null) await stores.accountSessions.end(previous.account.id, previous.id)
    await stores.accountSessions.add({
      hash: ctx.keyring.hash('account-session', session),
      accountId: account.id,
      device: input.device,
      createdAt: now,
      expiresAt: now + ACCOUNT_SESSION_MS,
    })
  })
  return { session, next }
}
