import type { ProviderName } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'

/** Switches a provider off; Google returns to the operator's client. Logins in progress end with the client they have. */
export async function removeProvider(ctx: Context, tenant: Tenant, name: ProviderName, author: Author): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    if ((await stores.providerClients.retire(tenant.id, name, now)) === 0) throw providerNotSet()
    await recordAction(stores, { tenantId: tenant.id, author, action: 'provider.removed', target: name, at: now })
  })
}

export const providerNotSet = (): ApiError =>
  new ApiError('providerNotFound', 'This tenant has not set up this provider: GET /api/social-login/providers.')
