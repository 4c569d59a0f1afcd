import { ApiError } from '../../domain/api-error.ts'
import { callbackFromStored, homeOf, matchCallback, needsCode } from '../../domain/callbacks/url.ts'
import type { LoginEnd } from '../../domain/events/auth-event.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'
import { recordAuthEvent } from '../limits/count-auth-event.ts'
import { requireUnblockedCallback } from '../tenants/blocked-hosts.ts'
import { lockResource, requireTenant } from '../tenants/require-tenant.ts'

/** Ends a login without tokens, after a denial or a failure. Returns the callback URL to redirect to. */
export async function closeAttempt(
  ctx: Context,
  attempt: Attempt,
  event: LoginEnd,
): Promise<string> {
  const now = ctx.now()
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, now)
  await requireUnblockedCallback(ctx.stores, attempt.redirectUri)

  const { error_code: code } = event.metadata
  if (code !== undefined) {
    ctx.refusals.add({
      tenantId: tenant.id,
      step: 'callback',
      code,
      differs: null,
      sent: null,
      closest: null,
    })
  }

  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    if (!(await stores.attempts.decide(attempt, event.event, now))) {
      throw loginOver(attempt.redirectUri)
    }
    // A link that adds an identity is no login, and no event.
    if (attempt.linkSessionId === null) {
      await recordAuthEvent(ctx, stores, tenant, resource, event)
    }
    return requireRegisteredCallback(resource, attempt.redirectUri)
  })
}

/** Checks the callback again: one that was removed since the login started must not receive tokens. */
export function requireRegisteredCallback(resource: Resource, redirectUri: string): string {
  const match = matchCallback(redirectUri, resource.callbackUrls.map(callbackFromStored))
  if (match.ok) {
    return match.href
  }
  throw new ApiError(
    'invalidRedirectUri',
    'The app changed its callback URLs while you were signing in. Go back to the app and start again.',
  )
}

/** Checked at the start, and again before tokens are in a URL. */
export function requireCodeCallback(
  { callbackMode }: Pick<Resource, 'callbackMode'>,
  { redirectUri, challenge }: Pick<Attempt, 'redirectUri' | 'challenge'>,
): void {
  const isCodeRequired = callbackMode === 'code' || needsCode(redirectUri)
  if (challenge === null && isCodeRequired) {
    throw new ApiError(
      'codeChallengeRequired',
      'This app accepts only logins with a one-time code. Start it at the login page of the app.',
    )
  }
}

/** `redirectUri`, if known, lets the error page link back to the app, for example after a double click. */
export function loginOver(redirectUri?: string): ApiError {
  const home = redirectUri === undefined ? null : homeOf(redirectUri)
  return new ApiError(
    'loginOver',
    'This sign-in was already finished, or its ten minutes passed. Go back to the app; if you are not signed in there, start again.',
    home === null ? {} : { details: { app: home } },
  )
}

export const isLoginOver = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'loginOver'

export const loginOtherBrowser = (): ApiError =>
  new ApiError(
    'loginOtherBrowser',
    'This sign-in was started in another browser, or cookies are blocked. Go back to the app and start again here.',
  )

export const decisionNotOurs = (): ApiError =>
  new ApiError(
    'decisionNotOurs',
    'This decision did not come from our page. Go back, and press the button there.',
  )
