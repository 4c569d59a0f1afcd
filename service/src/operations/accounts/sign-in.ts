import {
  ACCOUNT_SESSION_MS,
  type AccountSignIn,
  accountSignInId,
  safeNextPath,
} from '../../domain/accounts/account.ts'
import { ME_PATH, meSignInId } from '../../domain/accounts/person.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { SignInId } from '../../domain/ids.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import {
  type AuthRequestSecrets,
  LOGIN_FAILURES,
  type Profile,
} from '../../domain/login/identity-provider.ts'
import { ACCOUNT_CALLBACK, callbackPath, providerName } from '../../domain/providers/provider.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-requests.ts'
import { loginOver } from '../login/attempts.ts'
import { providerRedirectUrl } from '../login/redirects.ts'
import { type LoginProvider, sharedProvider } from '../providers/login-provider.ts'

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
export function startAccountSignIn(
  ctx: Context,
  { next, ...visitor }: Visitor & { readonly next: string | undefined },
): Promise<Started> {
  const page = { id: accountSignInId(ctx.random), next: safeNextPath(next) }
  return startSignIn(ctx, page, visitor, ownersGoogle(ctx))
}

/** Redirects the browser of a person who wants to see their own data, to the provider that they use in the apps. */
export function startMeSignIn(
  ctx: Context,
  { provider, ...visitor }: Visitor & { readonly provider: LoginProvider },
): Promise<Started> {
  return startSignIn(ctx, { id: meSignInId(ctx.random), next: ME_PATH }, visitor, provider)
}

async function startSignIn(
  ctx: Context,
  { id, next }: Pick<AccountSignIn, 'id' | 'next'>,
  input: Visitor,
  provider: LoginProvider,
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
  { name, identity, redirectUri }: LoginProvider,
): Promise<{ readonly next: string; readonly profile: Profile }> {
  const signIn = await ctx.stores.accountSignIns.take(id, ctx.now())
  if (signIn === null) {
    throw loginOver()
  }
  const result = await identity.signIn({
    ...requestSecrets,
    currentUrl: new URL(redirectUri + search),
  })
  ctx.sharedClientFaults.note(name, result, search, ctx.now())

  const provider = providerName(name, null)
  switch (result.outcome) {
    case 'identified':
      return { next: signIn.next, profile: result.profile }
    case 'denied':
      throw new ApiError('signInFailed', `You cancelled at ${provider}, so you are not signed in.`)
    case 'failed': {
      const { stage, errorCode, cause } = result
      ctx.log.warn(`sign-in to this service failed at ${stage}: ${errorCode}`, cause)
      throw new ApiError(
        'signInFailed',
        `${provider} could not confirm who you are (${stage}: ${errorCode}). ${LOGIN_FAILURES[errorCode]} Try again in a moment. If it keeps happening, tell the operator of this service.`,
      )
    }
  }
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
    if (input.previousSession !== null) {
      await endPrevious(ctx, stores, input.previousSession, now)
    }
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

async function endPrevious(
  { keyring }: Context,
  { accountSessions }: TransactionStores,
  secret: string,
  now: Instant,
): Promise<void> {
  const previous = await accountSessions.find(keyring.hashes('account-session', secret), now)
  if (previous !== null) {
    await accountSessions.end(previous.account.id, previous.id)
  }
}

/** Owners sign in to their accounts with Google. */
const ownersGoogle = ({ identity, baseUrl }: Context): LoginProvider => ({
  name: 'google',
  identity,
  redirectUri: baseUrl + ACCOUNT_CALLBACK,
  client: null,
})

/** People sign in to `/me` with every provider at which the operator has a client; null: this is none. */
export function personProvider(ctx: Context, name: string): LoginProvider | null {
  const shared = ctx.providers.sharedNames().find((each) => each === name)
  return shared === undefined ? null : sharedProvider(ctx, '', shared)
}

/** The provider with this callback. The state of a sign-in is accepted at that path only, so it began with this provider. */
export function personProviderAt(ctx: Context, path: string): LoginProvider | null {
  const name = ctx.providers.sharedNames().find((each) => callbackPath(each, '') === path)
  return name === undefined ? null : personProvider(ctx, name)
}
