import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { purgeResource, ROWS_BEFORE_RESPONSE } from './purge-resource.ts'

/** Deletes everything permanently. Once the resource is marked as deleted, none of its rows can be read. */
export async function removeSocialLogin(ctx: Context, tenant: Tenant, author: Author): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'delete', now)
  // Refusals in memory would be stored after the deletion.
  await ctx.refusals.flush()
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.markDeleted(tenant.id, now)
    await stores.attempts.removeByTenant(tenant.id)
    await stores.loginCodes.removeByTenant(tenant.id)
    await stores.domains.removeByTenant(tenant.id)
    await stores.brands.remove(tenant.id)
    await stores.providerClients.removeByTenant(tenant.id)
    // Prevents that the endpoint of a former app receives the users of the next one.
    await stores.webhooks.removeByTenant(tenant.id)
    await stores.refusals.removeByTenant(tenant.id)
    if (resource !== null) {
      await recordAction(stores, { tenantId: tenant.id, author, action: 'social_login.removed', at: now })
    }
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  if (removed !== null) await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RESPONSE)
}
