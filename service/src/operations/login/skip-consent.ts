import { ApiError, Unavailable } from '../../domain/api-error.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import {
  consentHost,
  isConsentRemembered,
  maySkipConsent,
} from '../../domain/login/remembered-consent.ts'
import { consentToken } from '../../domain/login/request-secrets.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import { appOf, hashOfApp } from '../brand/brand.ts'
import type { Context } from '../context.ts'
import { requireTenant } from '../tenants/require-tenant.ts'
import { decideConsent } from './decide-consent.ts'

interface SkippableConsent {
  readonly resource: Resource
  readonly attempt: Attempt
  /** null: a new user, who has allowed nothing yet. */
  readonly userId: UserId | null
  readonly browser: string
}

/**
 * Allows a login whose consent is remembered, as a press of Continue would: the same checks, limits and events. Returns the
 * URL in the app to redirect to; null: show the page.
 */
export async function skipConsent(ctx: Context, consent: SkippableConsent): Promise<string | null> {
  if (!(await isRemembered(ctx, consent))) {
    return null
  }

  const { attempt, browser } = consent
  try {
    return await decideConsent(ctx, {
      attemptId: attempt.id,
      browser,
      csrf: consentToken(ctx.keyring, attempt.id, browser),
      allow: true,
      shown: null,
      requestId: '',
    })
  } catch (error) {
    // Nothing was consumed: on the page, the person can try again.
    if (error instanceof Unavailable || isRateLimited(error)) {
      return null
    }
    throw error
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'rateLimited'
}

/** Reads one row for a login that may be remembered, and what the page would show only if there is such a row. */
async function isRemembered(
  ctx: Context,
  { resource, attempt, userId, browser }: SkippableConsent,
): Promise<boolean> {
  if (userId === null || !maySkipConsent({ resource, attempt })) {
    return false
  }

  const key = { userId, host: consentHost(attempt.redirectUri), provider: attempt.provider }
  const browserHashes = ctx.keyring.hashes('browser', browser)
  const consent = await ctx.stores.consents.find(resource, key, browserHashes)
  if (consent === null) {
    return false
  }

  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const app = await appOf(ctx, tenant, attempt.redirectUri)
  return isConsentRemembered(
    {
      resource,
      attempt,
      owned: tenant.owner !== null,
      consent,
      brandHash: hashOfApp(tenant, app),
    },
    ctx.now(),
  )
}
