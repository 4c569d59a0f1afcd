import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

/** Append-only. Also works while the tenant is paused. */
export async function leaveFeedback(ctx: Context, tenant: Tenant, text: string): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'feedback', now)
  await ctx.stores.feedback.append({
    tenantId: tenant.id,
    kind: 'service',
    text,
    createdAt: now,
    accountId: tenant.owner?.accountId ?? null,
    tokenHash: null,
  })
}
