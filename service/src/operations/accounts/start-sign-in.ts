import { type AccountSignIn, accountSignInId, safeNextPath } from '../../domain/accounts/account.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { ME_PATH, meSignInId } from '../../domain/me/person.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-by-address.ts'
import { providerRedirectUrl } from '../login/provider-redirect.ts'
import { ownersGoogle, type VisitorProvider } from './visitor-provider.ts'

interface Visitor {
  readonly browser: string | null
  readonly addressKey: string
  readonly uiLocales?: string | undefined
}

interface Started {
  readonly location: URL
  readonly browser: string
}

/** Redirects an owner's browser to Google. `next` is the page to open afterwards. */
export const startAccountSignIn = (
  ctx: Context,
  { next, ...visitor }: Visitor & { readonly next: string | undefined },
): Promise<Started> =>
  startSignIn(ctx, { id: accountSignInId(ctx.random), next: safeNextPath(next) }, visitor, ownersGoogle(ctx))

/** Redirects the browser of a person who wants to see their own data, to the provider that they use in the apps. */
export const startMeSignIn = (
  ctx: Context,
  { provider, ...visitor }: Visitor & { readonly provider: VisitorProvider },
): Promise<Started> => startSignIn(ctx, { id: meSignInId(ctx.random), next: ME_PATH }, visitor, provider)

async function startSignIn(
  ctx: Context,
  { id, next }: Pick<AccountSignIn, 'id' | 'next'>,
  input: Visitor,
  provider: VisitorProvider,
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
  const location = await providerRedirectUrl(ctx, provider, {
    id: signIn.id,
    tenantId: '',
    browser,
    uiLocales: input.uiLocales,
  })
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, input.addressKey, now)
    await stores.accountSignIns.add(signIn)
  })
  return { location, browser }
}
