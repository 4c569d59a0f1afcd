import type { TenantId } from '../../domain/ids.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
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
    if (!(await stores.moderation.suspend(tenantId, reason, at))) return false
    await recordAction(stores, { tenantId, author: OPERATOR, action: 'tenant.suspended', target: reason, at })
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
    if (!(await stores.moderation.lift(tenantId, at))) return false
    await recordAction(stores, { tenantId, author: OPERATOR, action: 'tenant.lifted', target: reason, at })
    return true
  })
