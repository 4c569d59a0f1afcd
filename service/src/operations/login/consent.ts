import { providerKind } from '@gatehouse-auth/contract'
import type { ApiError } from '../../domain/api-error.ts'
import type { AttemptId } from '../../domain/ids.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt, isAttemptId } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { hostedDomainHint } from '../../domain/login/profile.ts'
import {
  consentToken,
  isConsentToken,
  restartedAttemptId,
} from '../../domain/login/request-secrets.ts'
import { providerLabel } from '../../domain/providers/provider.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { User } from '../../domain/users/user.ts'
import { type App, appOf, hashOfApp } from '../brand/brand.ts'
import type { Context } from '../context.ts'
import { limitByAddress, loginStartLimitOf } from '../limits/limit-requests.ts'
import { providerOfAttempt } from '../providers/login-provider.ts'
import { requireUnblockedCallback } from '../tenants/blocked-hosts.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { decisionNotOurs, isLoginOver, loginOtherBrowser, loginOver } from './attempts.ts'
import { requireLinkingUser } from './link.ts'
import { providerRedirectUrl } from './redirects.ts'

interface Consent {
  readonly attempt: Attempt & { readonly profile: Profile }
  readonly csrf: string
  /** What people call the provider. */
  readonly provider: string
  readonly app: App
  /** A hash of what the page shows of the app, if Continue is remembered; otherwise null. */
  readonly remembered: string | null
  /** The user who gets the identity; null: a sign-in. */
  readonly account: User | null
}

/** What the consent page shows. Read-only. */
export async function readConsent(
  ctx: Context,
  { attemptId, browser }: { attemptId: AttemptId; browser: string | null },
): Promise<Consent> {
  const attempt = await identifiedAttempt(ctx, attemptId, browser)
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const app = await appOf(ctx, tenant, attempt.redirectUri)
  const isRemembered = attempt.remember && tenant.owner !== null
  return {
    attempt,
    csrf: consentToken(ctx.keyring, attempt.id, browser ?? ''),
    provider: await labelOf(ctx, attempt),
    app,
    account: await linkingUser(ctx, attempt),
    remembered: isRemembered ? hashOfApp(tenant, app) : null,
  }
}

/** null: the attempt adds no identity. */
async function linkingUser(ctx: Context, attempt: Attempt): Promise<User | null> {
  if (attempt.linkSessionId === null) {
    return null
  }
  const { user } = await requireLinkingUser(ctx, attempt)
  return user
}

async function labelOf(
  { stores }: Context,
  { tenantId, provider, providerClientId: id }: Attempt,
): Promise<string> {
  const isNamedByOwner = providerKind(provider) === 'oidc' && id !== null
  const own = isNamedByOwner ? await stores.providerClients.find({ tenantId, id }) : null
  return providerLabel(provider, own)
}

/** The attempt that waits for this browser's consent. Only then does it have a profile. */
export async function identifiedAttempt(
  ctx: Context,
  attemptId: AttemptId,
  browser: string | null,
): Promise<Attempt & { readonly profile: Profile }> {
  const attempt = await attemptOfBrowser(ctx, attemptId, browser)
  if (attempt.profile === null) {
    throw await overOf(ctx, attempt)
  }
  return { ...attempt, profile: attempt.profile }
}

/** An attempt that this browser started, in any stage. The operator may have blocked its host since. */
export async function attemptOfBrowser(
  ctx: Pick<Context, 'keyring' | 'now'> & {
    readonly stores: Pick<TransactionStores, 'attempts' | 'blockedHosts' | 'tenants'>
  },
  attemptId: AttemptId,
  browser: string | null,
): Promise<Attempt> {
  const attempt = isAttemptId(attemptId) ? await ctx.stores.attempts.find(attemptId, 0) : null
  if (attempt === null) {
    throw loginOver()
  }
  const isSameBrowser =
    browser !== null &&
    ctx.keyring
      .hashes('browser', browser)
      .some((hash) => constantTimeEqual(hash, attempt.browserHash))
  if (!isSameBrowser) {
    throw loginOtherBrowser()
  }

  await requireUnblockedCallback(ctx.stores, attempt.redirectUri)
  if (attempt.expiresAt <= ctx.now()) {
    throw await overOf(ctx, attempt)
  }
  return attempt
}

/** Leads back to the app, unless the operator suspended its project. */
export async function overOf(
  { stores }: { readonly stores: Pick<TransactionStores, 'tenants'> },
  { tenantId, redirectUri }: Attempt,
): Promise<ApiError> {
  const tenant = await stores.tenants.find(tenantId)
  return loginOver(tenant?.suspension === null ? redirectUri : undefined)
}

/** A press of Continue or Cancel on the consent page. */
export interface ConsentDecision {
  readonly attemptId: AttemptId
  readonly browser: string | null
  readonly csrf: string
  readonly allow: boolean
  /** A hash of what the page showed of the app, if it said that Continue is remembered; otherwise null. */
  readonly shown: string | null
  /** For the audit. */
  readonly requestId: string
}

interface AnotherAccount extends Pick<ConsentDecision, 'attemptId' | 'browser' | 'csrf'> {
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
  if (!isConsentToken(ctx.keyring, csrf, attemptId, browser)) {
    throw decisionNotOurs()
  }

  const now = ctx.now()
  const id = restartedAttemptId(ctx.keyring, attemptId, browser)
  const attempt = await attemptToRestart(ctx, input, id)
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, now)
  const resource = await requireResource(ctx.stores, tenant)

  // Before the change: an unreachable provider must not end the login.
  const provider = await providerOfAttempt(ctx, attempt)
  const location = await providerRedirectUrl(ctx, provider, {
    id,
    tenantId: tenant.id,
    browser,
    hints: { prompt: 'select_account', hostedDomain: hostedDomainHint(resource) },
    uiLocales,
  })
  if (attempt.id === id) {
    return location
  }

  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, loginStartLimitOf(tenant), addressKey, now)
    const restarted = { id, createdAt: now, expiresAt: now + ATTEMPT_LIFETIME_MS }
    if (await stores.attempts.restart(attempt, restarted)) {
      return
    }

    // Decided meanwhile, or restarted by a concurrent press.
    const { stage } = await attemptOfBrowser({ ...ctx, stores }, id, browser)
    if (stage !== 'started') {
      throw await overOf({ stores }, attempt)
    }
  })
  return location
}

/** The attempt that waits for this browser's consent, or that the first press of a double click has restarted. */
async function attemptToRestart(
  ctx: Context,
  input: AnotherAccount,
  restartedId: AttemptId,
): Promise<Attempt> {
  try {
    const attempt = await identifiedAttempt(ctx, input.attemptId, input.browser)
    // Another id would let the link be opened again.
    if (attempt.linkSessionId !== null) {
      throw decisionNotOurs()
    }
    return attempt
  } catch (error) {
    if (!isLoginOver(error)) {
      throw error
    }
    const restarted = await findRestarted(ctx, restartedId, input.browser)
    if (restarted?.stage !== 'started') {
      throw error
    }
    return restarted
  }
}

/** null: no press has restarted it, or it is over. */
async function findRestarted(
  ctx: Context,
  restartedId: AttemptId,
  browser: string | null,
): Promise<Attempt | null> {
  try {
    return await attemptOfBrowser(ctx, restartedId, browser)
  } catch (error) {
    if (!isLoginOver(error)) {
      throw error
    }
    return null
  }
}
