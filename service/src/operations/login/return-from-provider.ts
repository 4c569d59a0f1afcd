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
import { invitationOf } from './invitations.ts'
import { linkRefused } from './link.ts'
import { type LoginFailed, loginRedirect } from './redirects.ts'
import { recordRefusal } from './refusals.ts'
import { skipConsent } from './skip-consent.ts'

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
  const { search, browser } = input
  const state = new URLSearchParams(search).get('state') ?? ''
  const verified =
    browser === null ? null : verifyState(ctx.keyring, state, browser, input.callbackPath)
  if (browser === null || !verified?.valid) {
    const [unverifiedId = ''] = state.split('.')
    await recordForAttempt(ctx, unverifiedId, loginOtherBrowser())
    throw loginOtherBrowser()
  }

  const { attemptId: id, requestSecrets } = verified
  // First, because an attempt's id is any 22 characters: it may start as the others do.
  if (isAttemptId(id)) {
    const { displayName } = input
    try {
      return await finishSignIn(ctx, { id, requestSecrets, search, displayName, browser })
    } catch (error) {
      await recordForAttempt(ctx, id, error)
      throw error
    }
  }

  if (isTestSignInId(id)) {
    const { accountSession, requestId } = input
    const response = { id, requestSecrets, search, accountSession, requestId }
    return { next: 'tested', tested: await finishTestSignIn(ctx, response) }
  }

  if (isMeSignInId(id)) {
    const { callbackPath, meSession: previousSession } = input
    const response = { id, requestSecrets, search, callbackPath, previousSession }
    return { next: 'me', session: await finishMeSignIn(ctx, response) }
  }

  const { accountSession: previousSession, device } = input
  const response = { id, requestSecrets, search, previousSession, device }
  return { next: 'account', signedIn: await finishAccountSignIn(ctx, response) }
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
    case 'identified':
      await noteClientHealth(ctx, client, true)
      return askForConsent(ctx, attempt, signIn, browser)
    case 'denied': {
      const event = consentDenied(attempt, 'provider', ctx.now())
      return closeWithError(ctx, attempt, { error: 'access_denied' }, event)
    }
    case 'failed': {
      if (signIn.errorCode === 'invalid_client') {
        await noteClientHealth(ctx, client, false)
      }
      ctx.log.warn(`sign-in failed at ${signIn.stage}: ${signIn.errorCode}`, signIn.cause)
      const event = loginFailed(attempt, signIn, ctx.now())
      const failed = { error: 'login_failed', reason: signIn.errorCode } as const
      return closeWithError(ctx, attempt, failed, event)
    }
  }
}

/** A user whom the app's owner does not let in gets no consent page. Neither does a login whose consent is remembered. */
async function askForConsent(
  ctx: Context,
  attempt: Attempt,
  identified: Identified,
  browser: string,
): Promise<FinishedSignIn> {
  const { stores } = ctx
  const { profile, hostedDomain } = identified
  const resource = await requireResource(stores, { id: attempt.tenantId })
  const user = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
  const isLink = attempt.linkSessionId !== null
  if (isLink && user !== null) {
    throw linkRefused(attempt)
  }

  const invitation = user === null ? await invitationOf(stores, attempt, ctx.now()) : null
  const isUser = isLink || user !== null
  const rejection = rejectionOf(resource, { identified, isUser, invitation })
  if (rejection !== null) {
    return reject(ctx, attempt, { stage: 'userinfo', errorCode: rejection })
  }
  if (user?.blockedAt) {
    return reject(ctx, attempt, { stage: 'user_upsert', errorCode: 'user_blocked' })
  }

  const isIdentified = await stores.attempts.identify(
    attempt,
    {
      profile,
      hostedDomain: hostedDomain ?? '',
      remember: canRemember({ resource, attempt }),
    },
    ctx.now(),
  )
  if (!isIdentified) {
    throw await overOf(ctx, attempt)
  }

  const userId = user?.id ?? null
  const skipped = await skipConsent(ctx, { resource, attempt, userId, browser })
  if (skipped !== null) {
    return { next: 'app', location: skipped }
  }
  return { next: 'consent', attemptId: attempt.id }
}

/** Ends a login whose user the app's owner does not let in. */
function reject(
  ctx: Context,
  attempt: Attempt,
  rejection: Parameters<typeof loginFailed>[1],
): Promise<FinishedSignIn> {
  const event = loginFailed(attempt, rejection, ctx.now())
  const failed = { error: 'login_failed', reason: rejection.errorCode } as const
  return closeWithError(ctx, attempt, failed, event)
}

async function closeWithError(
  ctx: Context,
  attempt: Attempt,
  failed: LoginFailed,
  event: LoginEnd,
): Promise<FinishedSignIn> {
  const redirectUri = await closeAttempt(ctx, attempt, event)
  return { next: 'app', location: loginRedirect(ctx, redirectUri, attempt, failed) }
}
