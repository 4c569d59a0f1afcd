import { type Brand, brandOn } from '../../domain/brand/brand.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { requireOwner } from './require-owner.ts'

/** A brand, and the hosts of registered callback URLs on which users see it. */
export interface DescribedBrand extends Brand {
  readonly shownOn: readonly string[]
}

export async function readBrand(ctx: Context, tenant: Tenant): Promise<DescribedBrand | null> {
  requireOwner(tenant, ctx.now(), 'read')
  return describeBrand(ctx.stores, await requireResource(ctx.stores, tenant))
}

export async function describeBrand(
  { brands, domains }: Pick<TransactionStores, 'brands' | 'domains'>,
  { tenantId, callbackUrls }: Resource,
): Promise<DescribedBrand | null> {
  const brand = await brands.find(tenantId)
  if (brand === null) return null
  const listed = await domains.listByTenant(tenantId)
  // Any host below a wildcard: only a DNS record covers it.
  const isShown = (callback: string): boolean => brandOn(brand, listed, new URL(callback.replace('*', 'any'))) !== null
  const hosts = callbackUrls.filter(isShown).map((callback) => new URL(callback).host)
  return { ...brand, shownOn: [...new Set(hosts)] }
}
