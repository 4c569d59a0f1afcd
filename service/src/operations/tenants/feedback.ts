import {
  FEEDBACK_KEPT_PER_TENANT,
  FEEDBACK_PER_HOUR,
  SECRET_PREFIXES,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import {
  discountRejection,
  FEEDBACK_KEPT_MS,
  type NewFeedback,
} from '../../domain/tenants/feedback.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-requests.ts'
import { withAdvice } from '../unknown-outcome.ts'

/** Append-only. Also works while the tenant is paused. Returns what the tenant may still send in this hour. */
export async function leaveFeedback(ctx: Context, tenant: Tenant, text: string): Promise<Rate> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'feedback', now)
  const storing = ctx.stores.confirmedTransaction((stores) =>
    storeFeedback(stores, tenant, { kind: 'service', text, tokenHash: null }, now),
  )
  return withAdvice(FEEDBACK_ADVICE, storing)
}

type DiscountReport = { readonly rate: Rate } & (
  | { readonly accepted: true; readonly token: string }
  | { readonly accepted: false; readonly reason: string }
)

/** Stores the report whether or not it earns a discount. */
export async function reportForDiscount(
  ctx: Context,
  tenant: Tenant,
  text: string,
): Promise<DiscountReport> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'feedback', now)
  const accountId = tenant.owner?.accountId ?? null
  const reporting = ctx.stores.confirmedTransaction(async (stores): Promise<DiscountReport> => {
    // Serializes the reports of an owner; otherwise two concurrent ones could both be accepted.
    if (accountId !== null) {
      await stores.accounts.lock(accountId)
    }
    const previousAt = accountId === null ? null : await stores.feedback.lastAcceptedAt(accountId)
    const reason = discountRejection(tenant, { text, previousAt }, now)
    if (reason !== null) {
      const rejected = { kind: 'discount', text, tokenHash: null } as const
      const rate = await storeFeedback(stores, tenant, rejected, now)
      return { rate, accepted: false, reason }
    }

    const token = mintSecret(SECRET_PREFIXES.feedbackToken, ctx.random)
    const tokenHash = ctx.keyring.hash('feedback', token)
    const rate = await storeFeedback(stores, tenant, { kind: 'discount', text, tokenHash }, now)
    return { rate, accepted: true, token }
  })
  return withAdvice(FEEDBACK_ADVICE, reporting)
}

const FEEDBACK_LIMIT: HourlyLimit = {
  scope: 'feedback',
  perHour: FEEDBACK_PER_HOUR,
  action: 'send feedback',
}

const FEEDBACK_ADVICE = 'The operator may have it. If you send it again, they may have it twice.'

/** Stores feedback of a tenant, within its limits. Throws `rateLimited`, which rolls the transaction back. */
async function storeFeedback(
  stores: Pick<TransactionStores, 'counters' | 'feedback'>,
  tenant: Tenant,
  feedback: Pick<NewFeedback, 'kind' | 'text' | 'tokenHash'>,
  now: number,
): Promise<Rate> {
  const rate = await limitByTenant(stores, FEEDBACK_LIMIT, tenant, now)
  const entry: NewFeedback = {
    ...feedback,
    tenantId: tenant.id,
    accountId: tenant.owner?.accountId ?? null,
    createdAt: now,
  }
  const since = now - FEEDBACK_KEPT_MS
  const isStored = await stores.feedback.append(entry, { since, limit: FEEDBACK_KEPT_PER_TENANT })
  if (!isStored) {
    const oldestAt = (await stores.feedback.oldestAt(tenant.id, since)) ?? now
    const seconds = Math.ceil((oldestAt + FEEDBACK_KEPT_MS - now) / 1_000)
    throw tooMuchKept(Math.max(1, seconds))
  }
  return rate
}

const tooMuchKept = (seconds: number): ApiError =>
  new ApiError(
    'rateLimited',
    `The operator keeps ${FEEDBACK_KEPT_PER_TENANT} messages of a tenant, each for a year, and has as many of this one. Try again in ${seconds} s, or after the operator deleted some.`,
    {
      details: { window: 'year', limit: FEEDBACK_KEPT_PER_TENANT, left: 0 },
      retryAfterSeconds: seconds,
    },
  )
