import type { LoginError } from '@gatehouse-auth/contract'
import { isTestSignInId } from '../../domain/accounts/account.ts'
import { isMeSignInId } from '../../domain/accounts/person.ts'
import { ApiError } from '../../domain/api-error.ts'
import { consentDenied, type LoginEnd, loginFailed } from '../../domain/events/auth-event.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { type Attempt, isAttemptId } from '../../domain/login/attempt.ts'
import type { AuthRequestSecrets } from '../../domain/login/identity-provider.ts'
import { rejectionOf } from '../../domain/login/invitation.ts'
import type { Identified } from '../../domain/login/profile.ts'
import { canRemember } from '../../domain/login/remembered-consent.ts'
import { verifyState } from '../../domain/login/request-secrets.ts'
import { finishMeSignIn } from '../accounts/me-session.ts'
import { finishAccountSignIn, type SignedIn } from '../accounts/sign-in.ts'
import type { Context } from '../context.ts'
import { providerOfAttempt } from '../providers/login-provider.ts'
import { noteClientHealth } from '../providers/providers.ts'
import { finishTestSignIn, type TestedProvider } from '../providers/test-sign-in.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { closeAttempt, loginOtherBrowser } from './attempts.ts'
import { attemptOfBrowser, overOf } from './consent.ts'
import { skipConsent } from './decide-consent.ts'
import { invitationOf } from './invitations.ts'
import { linkRefused } from './link.ts'
import { loginRedirect } from './redirects.ts'
import { recordRefusal } from './refusals.ts'

interface Return {
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

type ReturnedFromProvider =
  | FinishedSignIn
  | { readonly next: 'account'; readonly signedIn: SignedIn }
  /** `session`: the secret of the new session, for the cookie. */
  | { readonly next: 'me'; readonly session: string }
  | { readonly next: 'tested'; readonly tested: TestedProvider }

type FinishedSignIn =
  /** The user is identified: show the consent page. */
  | { readonly next: 'consent'; readonly attemptId: AttemptId }
  /** The sign-in failed or was denied at the provider: redirect to the app. */
  | { readonly next: 'app'; readonly location: string }

/** Handles a provider's response for every kind of sign-in. Only the browser that started a sign-in can complete it. */
export async function returnFromProvider(
  ctx: Context,
  input: Return,
): Promise<ReturnedFromProvider> {
  const { search, browser, displayName } = input
  const state = new URLSearchParams(search).get('state') ?? ''
  const verified =
    browser === null
      ? { valid: false as const }
      : verifyState(ctx.keyring, state, browser, input.callbackPath)
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
    return {
      next: 'tested',
      tested: await finishTestSignIn(ctx, { ...response, accountSession, requestId }),
    }
  }
  if (isMeSignInId(id)) {
    const { callbackPath } = input
    return {
      next: 'me',
      session: await finishMeSignIn(ctx, { ...response, callbackPath, previousSession: meSession }),
    }
  }
  return {
    next: 'account',
    signedIn: await finishAccountSignIn(ctx, {
      ...response,
      previousSession: accountSession,
      device: input.device,
    }),
  }
}

/** The attempt is only used to find the app whose developer is told. */
async function recordForAttempt(ctx: Context, id: string, error: unknown): Promise<void> {
  if (!(error instanceof ApiError) || !isAttemptId(id)) {
    return
  }
  const attempt = await ctx.stores.attempts.find(id, 0)
  if (attempt !== null) {
    recordRefusal(ctx, { tenantId: attempt.tenantId, step: 'callback' }, error)
  }
}

interface ProviderResponse {
  readonly id: AttemptId
  readonly requestSecrets: AuthRequestSecrets
  /** The query of the response. */
  readonly search: string
  readonly displayName: string | null
  /** The cookie of the browser. */
  readonly browser: string
}

/** Handles the provider's response for a login to an app: identifies the user, or ends the attempt. */
async function finishSignIn(
  ctx: Context,
  { id, requestSecrets, search, displayName, browser }: ProviderResponse,
): Promise<FinishedSignIn> {
  const { attempts } = ctx.stores
  const shared = await attempts.take(id, ctx.now())
  const waiting = shared ?? (await attemptOfBrowser(ctx, id, browser))
  // An owner's client is read before its attempt is taken: if it can't be read now, the login can be continued.
  const { identity, redirectUri, client } = await providerOfAttempt(ctx, waiting)
  const attempt = shared ?? (await attempts.take(id, ctx.now(), waiting.providerClientId))
  if (attempt === null) {
    throw await overOf(ctx, waiting)
  }

  // From the redirect URI of the request: with a relay, it is a URL of the app, and the provider compares it.
  const currentUrl = new URL(redirectUri + search)
  // Outside of any transaction, because the provider may be slow.
  const signIn = await identity.signIn({ ...requestSecrets, currentUrl, displayName })
  if (client === null) {
    ctx.sharedClientFaults.note(attempt.provider, signIn, search, ctx.now())
  }
  switch (signIn.outcome) {
    case 'identified': {
      await noteClientHealth(ctx, client, true)
      return askForConsent(ctx, attempt, signIn, browser)
    }
    case 'denied':
      return closeWithError(
        ctx,
        attempt,
        'access_denied',
        consentDenied(attempt, 'provider', ctx.now()),
      )
    case 'failed':
      if (signIn.errorCode === 'invalid_client') {
        await noteClientHealth(ctx, client, false)
      }
      ctx.log.warn(`sign-in failed at ${signIn.stage}: ${signIn.errorCode}`, signIn.cause)
      return closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, signIn, ctx.now()))
  }
}

/** Whom the app's owner does not let in gets no consent page. Neither does a login whose consent is remembered. */
async function askForConsent(
  ctx: Context,
  attempt: Attempt,
  identified: Identified,
  browser: string,
): Promise<FinishedSignIn> {
  const { stores } = ctx
  const { profile, hostedDomain } = identified
  const resource = await requireResource(stores, { id: attempt.tenantId })
  const reject = (rejection: Parameters<typeof loginFailed>[1]) =>
    closeWithError(ctx, attempt, 'login_failed', loginFailed(attempt, rejection, ctx.now()))
  const user = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
  const isLink = attempt.linkSessionId !== null
  if (isLink && user !== null) {
    throw linkRefused(attempt)
  }
  const invitation = user === null ? await invitationOf(stores, attempt, ctx.now()) : null
  const rejection = rejectionOf(resource, {
    identified,
    isUser: isLink || user !== null,
    invitation,
  })
  if (rejection !== null) {
    return reject({ stage: 'userinfo', errorCode: rejection })
  }
  if (user?.blockedAt) {
    return reject({ stage: 'user_upsert', errorCode: 'user_blocked' })
  }
  const remember = canRemember({ resource, attempt })
  if (
    !(await stores.attempts.identify(
      attempt,
      { profile, hostedDomain: hostedDomain ?? '', remember },
      ctx.now(),
    ))
  ) {
    throw await overOf(ctx, attempt)
  }
  const skipped = await skipConsent(ctx, { resource, attempt, userId: user?.id ?? null, browser })
  return skipped === null
    ? { next: 'consent', attemptId: attempt.id }
    : { next: 'app', location: skipped }
}

async function closeWithError(
  ctx: Context,
  attempt: Attempt,
  error: LoginError,
  event: LoginEnd,
): Promise<FinishedSignIn> {
  const redirectUri = await closeAttempt(ctx, attempt, event)
  return { next: 'app', location: loginRedirect(redirectUri, attempt, { error }) }
}
