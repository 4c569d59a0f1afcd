import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { purgeResource, ROWS_BEFORE_RESPONSE } from './purge-resource.ts'

/** Deletes everything permanently. Once the resource is marked as deleted, none of its rows can be read. */
export async function removeSocialLogin(ctx: Context, tenant: Tenant): Promise<void> {
  requireTenantAccess(tenant, 'delete', ctx.now())
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.markDeleted(tenant.id, ctx.now())
    await stores.attempts.removeByTenant(tenant.id)
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  if (removed !== null) await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RESPONSE)
}
