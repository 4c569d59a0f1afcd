import type { Resource } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

export async function readSettings(ctx: Context, tenant: Tenant): Promise<Resource> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return requireResource(ctx.stores, tenant)
}

/** null: social login is not provisioned. */
export async function findSettings(ctx: Context, tenant: Tenant): Promise<Resource | null> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return ctx.stores.resources.findActive(tenant.id)
}
