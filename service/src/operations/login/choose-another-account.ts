import type { AttemptId } from '../../domain/ids.ts'
import { hostedDomainHint } from '../../domain/login/admission.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt } from '../../domain/login/attempt.ts'
import { isConsentToken, restartedAttemptId } from '../../domain/login/request-secrets.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-by-address.ts'
import { providerOfAttempt } from '../providers/login-provider.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { decisionNotOurs, isLoginOver, loginOver } from './attempt-errors.ts'
import type { ConsentDecision } from './consent-decision.ts'
import { providerRedirectUrl } from './provider-redirect.ts'
import { attemptOfBrowser, identifiedAttempt } from './read-consent.ts'

export interface AnotherAccount extends Pick<ConsentDecision, 'attemptId' | 'browser' | 'csrf'> {
  readonly addressKey: string
  readonly uiLocales: string | undefined
}

/**
 * Redirects from the consent page back to the account chooser of the provider. It stays the same login, without another
 * event, and gets a new id, so that the state and nonce of each request to the provider are used once. A second press gets
 * the same redirect.
 */
export async function chooseAnotherAccount(ctx: Context, input: AnotherAccount): Promise<URL> {
  const { attemptId, csrf, addressKey, uiLocales } = input
  const browser = input.browser ?? ''
  if (!isConsentToken(ctx.keyring, csrf, attemptId, browser)) throw decisionNotOurs()
  const now = ctx.now()
  const id = restartedAttemptId(ctx.keyring, attemptId, browser)
  const attempt = await attemptToRestart(ctx, input, id)
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)
  const hints = { prompt: 'select_account', hostedDomain: hostedDomainHint(resource) } as const
  // Before the change: an unreachable provider must not end the login.
  const provider = await providerOfAttempt(ctx, attempt)
  const location = await providerRedirectUrl(ctx, provider, { id, tenantId: tenant.id, browser, hints, uiLocales })
  if (attempt.id === id) return location
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, addressKey, now)
    const restarted = { id, createdAt: now, expiresAt: now + ATTEMPT_LIFETIME_MS }
    if (await stores.attempts.restart(attempt, restarted)) return
    // Decided meanwhile, or restarted by a concurrent press.
    const { stage } = await attemptOfBrowser({ ...ctx, stores }, id, browser)
    if (stage !== 'started') throw loginOver(attempt.redirectUri)
  })
  return location
}

/** The attempt that waits for this browser's consent, or that the first press of a double click has restarted. */
async function attemptToRestart(ctx: Context, input: AnotherAccount, restartedId: AttemptId): Promise<Attempt> {
  try {
    return await identifiedAttempt(ctx, input.attemptId, input.browser)
  } catch (error) {
    if (!isLoginOver(error)) throw error
    const restarted = await attemptOfBrowser(ctx, restartedId, input.browser)
    if (restarted.stage !== 'started') throw error
    return restarted
  }
}
