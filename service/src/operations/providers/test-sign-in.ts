import { PROVIDER_TESTS_PER_HOUR, type ProviderName } from '@gatehouse-auth/contract'
import { testSignInId } from '../../domain/accounts/account.ts'
import type { SignInId, TenantId } from '../../domain/ids.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import type {
  AuthRequestSecrets,
  ClientCheck,
  SignIn,
} from '../../domain/login/identity-provider.ts'
import { newestClient, type ProviderClient } from '../../domain/providers/provider-client.ts'
import type { TestResult } from '../../domain/providers/test-result.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import { findAccountSession } from '../accounts/account-session.ts'
import type { Context } from '../context.ts'
import {
  type HourlyLimit,
  LOGIN_START_LIMIT,
  limitByAddress,
  limitByTenant,
} from '../limits/limit-requests.ts'
import { loginOtherBrowser, loginOver } from '../login/attempts.ts'
import { providerRedirectUrl } from '../login/redirects.ts'
import { recordAction } from '../tenants/audit.ts'
import { requireOwnedTenant, requireResource, requireTenant } from '../tenants/require-tenant.ts'
import { ownProvider } from './login-provider.ts'
import { noteClientHealth, providerNotSet } from './providers.ts'

/** Prevents that a key makes this service send any number of requests to an issuer that it chose, or guess secrets. */
const TEST_LIMIT: HourlyLimit = {
  scope: 'provider-tests',
  perHour: PROVIDER_TESTS_PER_HOUR,
  action: 'test its providers',
}

/**
 * Whether the provider accepts the id and secret of the owner's own client. It activates nothing: only a sign-in shows that
 * the redirect URI is registered.
 */
export async function testProvider(
  ctx: Context,
  tenant: Tenant,
  name: ProviderName,
  author: Author,
): Promise<ClientCheck> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await requireResource(ctx.stores, tenant)
  const client = newestClient(await ctx.stores.providerClients.listCurrent(tenant.id), name)
  if (client?.mode !== 'own') {
    throw providerNotSet()
  }
  await ctx.stores.transaction(async (stores) => {
    await limitByTenant(stores, TEST_LIMIT, tenant, now)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'provider.tested',
      target: name,
      at: now,
    })
  })
  const check = await ctx.providers.own(client).checkClient(client.redirectUri)
  if (check.accepted || check.errorCode === 'invalid_client') {
    await noteClientHealth(ctx, client, check.accepted)
  }
  return check
}

interface StartTestSignIn {
  readonly name: ProviderName
  readonly browser: string | null
  readonly addressKey: string
  /** The page to open afterwards. */
  readonly next: string
}

/** Redirects the owner's browser to the provider, with the client that they set last. */
export async function startTestSignIn(
  ctx: Context,
  tenant: Tenant,
  input: StartTestSignIn,
): Promise<{ readonly location: URL; readonly browser: string }> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const client = newestClient(await ctx.stores.providerClients.listCurrent(tenant.id), input.name)
  if (client?.mode !== 'own') {
    throw providerNotSet()
  }
  const browser = input.browser ?? mintSecret('', ctx.random)
  const signIn = {
    id: testSignInId(ctx.random),
    browserHash: ctx.keyring.hash('browser', browser),
    next: input.next,
    tested: { tenantId: tenant.id, id: client.id },
    createdAt: now,
    expiresAt: now + ATTEMPT_LIFETIME_MS,
  }
  const request = { id: signIn.id, tenantId: tenant.id, browser }
  const location = await providerRedirectUrl(ctx, ownProvider(ctx, client), request)
  await ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, LOGIN_START_LIMIT, input.addressKey, now)
    await stores.accountSignIns.add(signIn)
  })
  return { location, browser }
}

/** What the owner is told, and the page that tells it. */
export interface TestedProvider extends TestResult {
  readonly tenantId: TenantId
  readonly next: string
}

interface TestResponse {
  readonly id: SignInId
  readonly requestSecrets: AuthRequestSecrets
  readonly search: string
  readonly accountSession: string | null
  readonly requestId: string
}

/**
 * Completes the test sign-in of an owner. It stores no user and records no event: a success only shows that the provider
 * knows the client and its redirect URI, so that the client is used from now on.
 */
export async function finishTestSignIn(
  ctx: Context,
  response: TestResponse,
): Promise<TestedProvider> {
  const session = await findAccountSession(ctx, response.accountSession)
  if (session === null) {
    throw loginOtherBrowser()
  }
  const signIn = await ctx.stores.accountSignIns.take(response.id, ctx.now())
  const client =
    signIn?.tested == null ? null : await ctx.stores.providerClients.find(signIn.tested)
  if (signIn === null || client === null) {
    throw loginOver()
  }
  // Ownership can change during a sign-in.
  await requireOwnedTenant(ctx, session.account, client.tenantId)

  const { tenantId, provider } = client
  const currentUrl = new URL(client.redirectUri + response.search)
  const tried = await ctx.providers.own(client).signIn({ ...response.requestSecrets, currentUrl })
  const author: Author = {
    actor: `account:${session.account.id}`,
    requestId: response.requestId,
  }
  const isActivated = await ctx.stores.transaction(async (stores) => {
    const activated =
      tried.outcome === 'identified' && (await stores.providerClients.activate(client, ctx.now()))
    // It may have been suspended during the sign-in. `activate` has locked it.
    await requireTenant(stores, tenantId, ctx.now())
    await recordAction(stores, {
      tenantId,
      author,
      action: 'provider.tested',
      target: provider,
      at: ctx.now(),
    })
    return activated
  })
  await noteRefusal(ctx, client, tried)
  return {
    tenantId,
    provider,
    result: resultOf(tried, isActivated),
    providerText: tried.outcome === 'failed' ? (tried.providerText ?? null) : null,
    next: signIn.next,
  }
}

function resultOf(tried: SignIn, isActivated: boolean): TestResult['result'] {
  switch (tried.outcome) {
    case 'identified':
      return isActivated ? 'success' : 'replaced'
    case 'denied':
      return 'denied'
    case 'failed':
      return tried.errorCode
  }
}

async function noteRefusal(ctx: Context, client: ProviderClient, tried: SignIn): Promise<void> {
  if (tried.outcome !== 'failed') {
    return
  }
  ctx.log.warn(`test sign-in failed at ${tried.stage}: ${tried.errorCode}`, tried.cause)
  if (tried.errorCode === 'invalid_client') {
    await noteClientHealth(ctx, client, false)
  }
}
