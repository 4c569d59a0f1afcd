import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { alreadyClaimed } from '../claims/request-claim.ts'
import type { Context } from '../context.ts'
import { endTenant } from '../tenants/end-tenant.ts'

/** Pauses or ends a guest as its limits or its 72 hours would; an owned tenant does neither. Only on a development service. */
export async function setTestStatus(ctx: Context, tenant: Tenant, status: 'paused' | 'expired'): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'delete', now)
  if (status === 'expired') return endTenant(ctx, tenant, 'test')
  const paused = await ctx.stores.tenants.pause(tenant.id, 'lifetime_events', now)
  ctx.directory.invalidate(tenant.id)
  if (paused) return
  // It was paused already, or it has an owner.
  const current = await ctx.stores.tenants.find(tenant.id)
  if (current?.owner) throw alreadyClaimed()
}
