import type { Resource } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

export async function listResources(ctx: Context, tenant: Tenant): Promise<Resource[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const resource = await ctx.stores.resources.findActive(tenant.id)
  return resource === null ? [] : [resource]
}
