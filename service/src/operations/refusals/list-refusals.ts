import { REFUSAL_KINDS_MAX, REFUSALS_KEPT_MS, type RefusalCount } from '../../domain/refusals/refusal.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

/** The refused sign-ins of the last 24 hours by kind, the newest first. Also while paused, which is one reason for them. */
export async function listRefusals(
  ctx: Pick<Context, 'stores' | 'now' | 'refusals'>,
  tenant: Tenant,
  limit = REFUSAL_KINDS_MAX,
): Promise<RefusalCount[]> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'diagnose', now)
  // Those of this process first: an agent asks right after it saw one.
  await ctx.refusals.flush()
  return ctx.stores.refusals.list(tenant.id, now - REFUSALS_KEPT_MS, limit)
}
