import type { SignInId, TenantId } from '../../domain/ids.ts'
import type { AuthRequestSecrets, SignIn } from '../../domain/login/identity-provider.ts'
import type { ProviderClient } from '../../domain/providers/provider-client.ts'
import type { TestResult } from '../../domain/providers/test-result.ts'
import { findAccountSession } from '../accounts/account-session.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { loginOtherBrowser, loginOver } from '../login/attempt-errors.ts'
import { requireOwnedTenant } from '../tenants/require-owned-tenant.ts'
import { noteClientHealth } from './client-health.ts'

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
export async function finishTestSignIn(ctx: Context, response: TestResponse): Promise<TestedProvider> {
  const session = await findAccountSession(ctx, response.accountSession)
  if (session === null) throw loginOtherBrowser()
  const signIn = await ctx.stores.accountSignIns.take(response.id, ctx.now())
  const client = signIn?.tested == null ? null : await ctx.stores.providerClients.find(signIn.tested)
  if (signIn === null || client === null) throw loginOver()
  // Ownership can change during a sign-in.
  await requireOwnedTenant(ctx, session.account, client.tenantId)

  const currentUrl = new URL(client.redirectUri + response.search)
  const tried = await ctx.providers.own(client).signIn({ ...response.requestSecrets, currentUrl })
  const author = { actor: `account:${session.account.id}` as const, requestId: response.requestId }
  const accepted = await ctx.stores.transaction(async (stores) => {
    const { tenantId, provider: target } = client
    await recordAction(stores, { tenantId, author, action: 'provider.tested', target, at: ctx.now() })
    return tried.outcome === 'identified' && stores.providerClients.activate(client, ctx.now())
  })
  await noteRefusal(ctx, client, tried)
  const { tenantId, provider } = client
  const providerText = tried.outcome === 'failed' ? (tried.providerText ?? null) : null
  return { tenantId, provider, result: resultOf(tried, accepted), providerText, next: signIn.next }
}

const resultOf = (tried: SignIn, accepted: boolean): TestResult['result'] => {
  if (tried.outcome === 'identified') return accepted ? 'success' : 'replaced'
  return tried.outcome === 'denied' ? 'denied' : tried.errorCode
}

async function noteRefusal(ctx: Context, client: ProviderClient, tried: SignIn): Promise<void> {
  if (tried.outcome !== 'failed') return
  ctx.log.warn(`test sign-in failed at ${tried.stage}: ${tried.errorCode}`, tried.cause)
  if (tried.errorCode === 'invalid_client') await noteClientHealth(ctx, client, false)
}
