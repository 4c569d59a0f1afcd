import { type AccountSignIn, accountSignInId, safeNextPath } from '../../domain/accounts/account.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { ME_PATH, meSignInId } from '../../domain/me/person.ts'
import { ACCOUNT_CALLBACK } from '../../domain/providers/callback-path.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-by-address.ts'
import { providerRedirectUrl } from '../login/provider-redirect.ts'

interface Visitor {
  readonly browser: string | null
  readonly addressKey: string
}

interface Started {
  readonly location: URL
  readonly browser: string
}

/** Redirects an owner's browser to Google. `next` is the page to open afterwards. */
export const startAccountSignIn = (
  ctx: Context,
  { next, ...visitor }: Visitor & { readonly next: string | undefined },
): Promise<Started> => startSignIn(ctx, { id: accountSignInId(ctx.random), next: safeNextPath(next) }, visitor)

/** Redirects the browser of a person who wants to see their own data. */
export const startMeSignIn = (ctx: Context, visitor: Visitor): Promise<Started> =>
  startSignIn(ctx, { id: meSignInId(ctx.random), next: ME_PATH }, visitor)

async function startSignIn(
  ctx: Context,
  { id, next }: Pick<AccountSignIn, 'id' | 'next'>,
  input: Visitor,
): Promise<Started> {
  const now = ctx.now()
  const browser = input.browser ?? mintSecret('', ctx.random)
  const signIn: AccountSignIn = {
    id,
    browserHash: ctx.keyring.hash('browser', browser),
    next,
    tested: null,
    createdAt: now,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }
  const google = { name: 'google' as const, identity: ctx.identity, redirectUri: ctx.baseUrl + ACCOUNT_CALLBACK }
  const location = await providerRedirectUrl(ctx, google, { id: signIn.id, tenantId: '', browser })
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, input.addressKey, now)
    await stores.accountSignIns.add(signIn)
  })
  return { location, browser }
}
