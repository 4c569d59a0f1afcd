import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { purgeResource, ROWS_BEFORE_RESPONSE } from '../social-login/purge-resource.ts'
import { lockResource } from '../tenants/require-tenant.ts'

/**
 * Replaces the social login of a tenant by an empty one with the same configuration, in one transaction: its tokens are
 * revoked and its users unreadable at once. Ids are not reused, and counted events stay counted. Only on a development
 * service.
 */
export async function deleteUsers(ctx: Context, tenant: Tenant): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    await stores.resources.markDeleted(tenant.id, now)
    await stores.attempts.removeByTenant(tenant.id)
    await stores.loginCodes.removeByTenant(tenant.id)
    await stores.resources.provision(tenant.id, resource.callbackUrls, now, resource)
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RESPONSE)
}
