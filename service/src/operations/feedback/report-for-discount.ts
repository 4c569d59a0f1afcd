import { SECRET_PREFIXES } from '@gatehouse/contract'
import type { Rate } from '../../domain/limits/rate.ts'
import { discountRejection } from '../../domain/tenants/feedback.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { FEEDBACK_ADVICE, storeFeedback } from './store-feedback.ts'

export type DiscountReport = { readonly rate: Rate } & (
  | { readonly accepted: true; readonly token: string }
  | { readonly accepted: false; readonly reason: string }
)

/** Stores the report whether or not it earns a discount. */
export async function reportForDiscount(ctx: Context, tenant: Tenant, text: string): Promise<DiscountReport> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'feedback', now)
  const accountId = tenant.owner?.accountId ?? null
  const reporting = ctx.stores.confirmedTransaction(async (stores): Promise<DiscountReport> => {
    // Serializes the reports of an owner; otherwise two concurrent ones could both be accepted.
    if (accountId !== null) await stores.accounts.lock(accountId)
    const previousAt = accountId === null ? null : await stores.feedback.lastAcceptedAt(accountId)
    const reason = discountRejection(tenant, { text, previousAt }, now)
    const token = reason === null ? mintSecret(SECRET_PREFIXES.feedbackToken, ctx.random) : null
    const tokenHash = token === null ? null : ctx.keyring.hash('feedback', token)
    const rate = await storeFeedback(stores, tenant, { kind: 'discount', text, tokenHash }, now)
    return token === null ? { rate, accepted: false, reason: reason ?? '' } : { rate, accepted: true, token }
  })
  return withAdvice(FEEDBACK_ADVICE, reporting)
}
