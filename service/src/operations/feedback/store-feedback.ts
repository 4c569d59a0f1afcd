import { FEEDBACK_KEPT_PER_TENANT, FEEDBACK_PER_HOUR } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { FEEDBACK_KEPT_MS, type NewFeedback } from '../../domain/tenants/feedback.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-by-tenant.ts'

const FEEDBACK_LIMIT: HourlyLimit = { scope: 'feedback', perHour: FEEDBACK_PER_HOUR, action: 'send feedback' }

export const FEEDBACK_ADVICE = 'The operator may have it. If you send it again, they may have it twice.'

/** Stores feedback of a tenant, within its limits. Throws `rateLimited`, which rolls the transaction back. */
export async function storeFeedback(
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
  if (await stores.feedback.append(entry, { since, limit: FEEDBACK_KEPT_PER_TENANT })) return rate
  const oldestAt = (await stores.feedback.oldestAt(tenant.id, since)) ?? now
  throw tooMuchKept(Math.max(1, Math.ceil((oldestAt + FEEDBACK_KEPT_MS - now) / 1_000)))
}

const tooMuchKept = (seconds: number): ApiError =>
  new ApiError(
    'rateLimited',
    `The operator keeps ${FEEDBACK_KEPT_PER_TENANT} messages of a tenant, each for a year, and has as many of this one. Try again in ${seconds} s, or after the operator deleted some.`,
    { details: { window: 'year', limit: FEEDBACK_KEPT_PER_TENANT, left: 0 }, retryAfterSeconds: seconds },
  )
