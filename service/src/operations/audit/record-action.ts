import { AUDIT_KEPT_PER_TENANT, type AuditAction } from '@gatehouse/contract'
import type { Author } from '../../domain/audit/action.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'

export interface Action {
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
