import type { Rate } from '../../domain/limits/rate.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { FEEDBACK_ADVICE, storeFeedback } from './store-feedback.ts'

/** Append-only. Also works while the tenant is paused. Returns what the tenant may still send in this hour. */
export async function leaveFeedback(ctx: Context, tenant: Tenant, text: string): Promise<Rate> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'feedback', now)
  const storing = ctx.stores.confirmedTransaction((stores) =>
    storeFeedback(stores, tenant, { kind: 'service', text, tokenHash: null }, now),
  )
  return withAdvice(FEEDBACK_ADVICE, storing)
}
