import { AUDIT_KEPT_PER_TENANT, type AuditAction } from '@gatehouse/contract'
import type { Author, RecordedAction } from '../domain/audit.ts'
import type { TenantId } from '../domain/ids.ts'
import type { TransactionStores } from '../domain/stores/stores.ts'
import { requireTenantAccess, type Tenant } from '../domain/tenants/tenant.ts'
import type { Instant } from '../domain/time.ts'
import type { Context } from './context.ts'

interface Action {
  readonly tenantId: TenantId
  readonly author: Author
  readonly action: AuditAction
  readonly target?: string
  readonly at: Instant
}

/** Records a management action, in the transaction of the action: neither is stored without the other. */
export async function recordAction(
  stores: Pick<TransactionStores, 'audit' | 'counters'>,
  { tenantId, author, action, target, at }: Action,
): Promise<void> {
  const id = await stores.counters.nextId({ scope: `tenant:${tenantId}`, window: 'audit-ids', start: 0 })
  await stores.audit.append(
    id,
    { tenantId, at, actor: author.actor, action, target: target ?? null, requestId: author.requestId },
    AUDIT_KEPT_PER_TENANT,
  )
}

interface AuditPage {
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
