import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { canAccess, type Grant } from '../../domain/oauth/grant.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Context } from '../context.ts'

/** The tenant, if the grant can access it now. Checked on every call, because ownership can change. */
export async function requireAccessibleTenant(
  ctx: Pick<Context, 'stores' | 'now'>,
  grant: Grant,
  tenantId: TenantId,
): Promise<Tenant> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (tenant === null || !canAccess(grant, tenant, ctx.now())) throw tenantNotFound()
  return tenant
}

const tenantNotFound = (): ApiError =>
  new ApiError(
    'tenantNotFound',
    'No tenant with this tenant_id is within reach of this sign-in: it reaches the tenants that its account owns, or unclaimed ones that its guest created. Check tenant_id in the .service file.',
  )
