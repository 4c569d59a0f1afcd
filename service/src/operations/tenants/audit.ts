import { AUDIT_KEPT_PER_TENANT } from '@gatehouse-auth/contract'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Author, NewAction, RecordedAction } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

interface Action extends Pick<NewAction, 'tenantId' | 'action' | 'at'> {
  readonly author: Author
  readonly target?: string
}

/** Records a management action, in the transaction of the action: neither is stored without the other. */
export async function recordAction(
  stores: Pick<TransactionStores, 'audit'>,
  { author, target, ...action }: Action,
): Promise<void> {
  await stores.audit.append({ ...action, ...author, target: target ?? null }, AUDIT_KEPT_PER_TENANT)
}

export async function listAudit(
  ctx: Context,
  tenant: Tenant,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly actions: RecordedAction[]; readonly hasMore: boolean }> {
  requireTenantAccess(tenant, 'read', ctx.now())
  // One more than requested, to know whether there is another page.
  const actions = await ctx.stores.audit.page(tenant.id, after, limit + 1)
  return { actions: actions.slice(0, limit), hasMore: actions.length > limit }
}

const SHOWN = 20

/** For the owner's page: the newest actions first. */
export const readRecentActions = (ctx: Context, tenant: Tenant): Promise<RecordedAction[]> =>
  ctx.stores.audit.recent(tenant.id, SHOWN)
