import type { TenantId } from '../../domain/ids.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { RecordedAction } from '../../domain/tenants/audit.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { recordAction } from './audit.ts'
import { OPERATOR } from './operator.ts'

/**
 * Suspends a tenant: no sign-ins, no refreshes, no valid access tokens, no changes and no webhooks, until it is lifted.
 * False: it is suspended already, or it has ended. Nothing is deleted, so a suspension by mistake costs users nothing.
 */
export const suspendTenant = (
  ctx: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
  reason: string,
): Promise<boolean> =>
  ctx.stores.transaction(async (stores) => {
    const at = ctx.now()
    const isSuspended = await stores.moderation.suspend(tenantId, reason, at)
    // Waits for a deletion that has read the tenant before.
    await stores.resources.lockActive(tenantId)
    if (!isSuspended) {
      return false
    }

    await record(stores, 'tenant.suspended', tenantId, reason, at)
    return true
  })

/** Ends a suspension: sessions continue where they were. False: it is not suspended, or it has ended. */
export const liftSuspension = (
  ctx: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
  reason: string,
): Promise<boolean> =>
  ctx.stores.transaction(async (stores) => {
    const at = ctx.now()
    if (!(await stores.moderation.lift(tenantId, at))) {
      return false
    }

    await record(stores, 'tenant.lifted', tenantId, reason, at)
    return true
  })

const record = (
  stores: TransactionStores,
  action: Extract<RecordedAction['action'], 'tenant.suspended' | 'tenant.lifted'>,
  tenantId: TenantId,
  reason: string,
  at: Instant,
): Promise<void> => recordAction(stores, { tenantId, author: OPERATOR, action, target: reason, at })
