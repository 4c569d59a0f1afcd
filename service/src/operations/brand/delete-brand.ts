import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { requireOwner } from './require-owner.ts'

/** Deletes name, links, color and logo. Idempotent. */
export const deleteBrand = (ctx: Context, tenant: Tenant, author: Author): Promise<void> =>
  removeFromBrand(ctx, tenant, author, 'brand.deleted')

/** Idempotent. */
export const deleteLogo = (ctx: Context, tenant: Tenant, author: Author): Promise<void> =>
  removeFromBrand(ctx, tenant, author, 'brand.logo_deleted')

async function removeFromBrand(
  ctx: Context,
  tenant: Tenant,
  author: Author,
  action: 'brand.deleted' | 'brand.logo_deleted',
): Promise<void> {
  const now = ctx.now()
  requireOwner(tenant, now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    const { brands } = stores
    const removed = await (action === 'brand.deleted' ? brands.remove(tenant.id) : brands.removeLogo(tenant.id))
    if (removed) await recordAction(stores, { tenantId: tenant.id, author, action, at: now })
  })
}
