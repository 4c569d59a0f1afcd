import type { RecordedAction } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

export interface AuditPage {
  readonly actions: RecordedAction[]
  readonly hasMore: boolean
}

export async function listAudit(
  ctx: Context,
  tenant: Tenant,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AuditPage> {
  requireTenantAccess(tenant, 'read', ctx.now())
  // One more than requested, to know whether there is another page.
  const actions = await ctx.stores.audit.page(tenant.id, after, limit + 1)
  return { actions: actions.slice(0, limit), hasMore: actions.length > limit }
}

const SHOWN = 20

/** For the owner's page: the newest actions first. */
export const readRecentActions = (ctx: Context, tenant: Tenant): Promise<RecordedAction[]> =>
  ctx.stores.audit.recent(tenant.id, SHOWN)
