import { type AccountSignIn, accountSignInId, safeNextPath } from '../../domain/accounts/account.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-by-address.ts'
import { providerRedirectUrl } from '../login/provider-redirect.ts'

/** Redirects an owner's browser to Google. `next` is the page to open afterwards. */
export async function startAccountSignIn(
  ctx: Context,
  input: { readonly browser: string | null; readonly next: string | undefined; readonly addressKey: string },
): Promise<{ readonly location: URL; readonly browser: string }> {
  const now = ctx.now()
  const browser = input.browser ?? mintSecret('', ctx.random)
  const signIn: AccountSignIn = {
    id: accountSignInId(ctx.random),
    browserHash: ctx.keyring.hash('browser', browser),
    next: safeNextPath(input.next),
    createdAt: now,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }
  const location = await providerRedirectUrl(ctx, signIn.id, browser)
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, input.addressKey, now)
    await stores.accountSignIns.add(signIn)
  })
  return { location, browser }
}
