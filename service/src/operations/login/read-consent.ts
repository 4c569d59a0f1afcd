import { providerKind } from '@gatehouse/contract'
import type { AttemptId } from '../../domain/ids.ts'
import { type Attempt, isAttemptId } from '../../domain/login/attempt.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import { consentToken } from '../../domain/login/request-secrets.ts'
import { providerLabel } from '../../domain/providers/provider-label.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import { type App, appOf, hashOfApp } from '../brand/app-of.ts'
import type { Context } from '../context.ts'
import { requireUnblockedHosts } from '../moderation/require-unblocked-hosts.ts'
import { requireTenant } from '../tenants/require-tenant.ts'
import { loginOtherBrowser, loginOver } from './attempt-errors.ts'

export interface Consent {
  readonly attempt: Attempt & { readonly profile: Profile }
  readonly csrf: string
  /** What people call the provider. */
  readonly provider: string
  readonly app: App
  /** A hash of what the page shows of the app, if Continue is remembered; otherwise null. */
  readonly remembered: string | null
}

/** What the consent page shows. Read-only. */
export async function readConsent(
  ctx: Context,
  { attemptId, browser }: { attemptId: AttemptId; browser: string | null },
): Promise<Consent> {
  const attempt = await identifiedAttempt(ctx, attemptId, browser)
  const tenant = await requireTenant(ctx.stores, attempt.tenantId, ctx.now())
  const app = await appOf(ctx, tenant, attempt.redirectUri)
  return {
    attempt,
    csrf: consentToken(ctx.keyring, attempt.id, browser ?? ''),
    provider: await labelOf(ctx, attempt),
    app,
    remembered: attempt.remember && tenant.owner !== null ? hashOfApp(tenant, app) : null,
  }
}

async function labelOf({ stores }: Context, { tenantId, provider, providerClientId: id }: Attempt): Promise<string> {
  const isNamedByOwner = providerKind(provider) === 'oidc' && id !== null
  return providerLabel(provider, isNamedByOwner ? await stores.providerClients.find({ tenantId, id }) : null)
}

/** The attempt that waits for this browser's consent. */
export async function identifiedAttempt(
  ctx: Context,
  attemptId: AttemptId,
  browser: string | null,
): Promise<Attempt & { readonly profile: Profile }> {
  const attempt = await attemptOfBrowser(ctx, attemptId, browser)
  if (attempt.stage !== 'identified' || attempt.profile === null) throw loginOver(attempt.redirectUri)
  // The operator may have blocked the host since the login started.
  await requireUnblockedHosts(ctx.stores, [new URL(attempt.redirectUri).hostname])
  return { ...attempt, profile: attempt.profile }
}

/** An attempt that this browser started, in any stage. */
export async function attemptOfBrowser(
  ctx: Pick<Context, 'keyring' | 'now'> & { readonly stores: Pick<TransactionStores, 'attempts'> },
  attemptId: AttemptId,
  browser: string | null,
): Promise<Attempt> {
  const attempt = isAttemptId(attemptId) ? await ctx.stores.attempts.find(attemptId, ctx.now()) : null
  if (attempt === null) throw loginOver()
  const isSameBrowser =
    browser !== null &&
    ctx.keyring.hashes('browser', browser).some((hash) => constantTimeEqual(hash, attempt.browserHash))
  if (!isSameBrowser) throw loginOtherBrowser()
  return attempt
}
