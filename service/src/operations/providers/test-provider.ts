import { PROVIDER_TESTS_PER_HOUR, type ProviderName } from '@gatehouse/contract'
import type { Author } from '../../domain/audit/action.ts'
import type { ClientCheck } from '../../domain/login/identity-provider.ts'
import { newestClient } from '../../domain/providers/provider-client.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-by-tenant.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { noteClientHealth } from './client-health.ts'
import { providerNotSet } from './remove-provider.ts'

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
  if (client?.mode !== 'own') throw providerNotSet()
  await ctx.stores.transaction(async (stores) => {
    await limitByTenant(stores, TEST_LIMIT, tenant, now)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'provider.tested', target: name, at: now })
  })
  const check = await ctx.providers.own(client).checkClient(client.redirectUri)
  if (check.accepted || check.errorCode === 'invalid_client') await noteClientHealth(ctx, client, check.accepted)
  return check
}
