import type { ProviderName } from '@gatehouse/contract'
import { testSignInId } from '../../domain/accounts/account.ts'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { newestClient } from '../../domain/providers/provider-client.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { LOGIN_START_LIMIT, limitByAddress } from '../limits/limit-by-address.ts'
import { providerRedirectUrl } from '../login/provider-redirect.ts'
import { ownProvider } from './login-provider.ts'
import { providerNotSet } from './remove-provider.ts'

export interface StartTestSignIn {
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
  if (client?.mode !== 'own') throw providerNotSet()
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
