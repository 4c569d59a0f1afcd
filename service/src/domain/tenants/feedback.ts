import { DISCOUNT_REPORT_MIN_CHARACTERS, FEEDBACK_KEPT_DAYS } from '@gatehouse-auth/contract'
import type { AccountId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import type { Tenant } from './tenant.ts'

export interface Feedback {
  readonly id: number
  readonly tenantId: TenantId
  readonly kind: 'service' | 'discount'
  readonly text: string
  readonly createdAt: Instant
}

export type NewFeedback = Omit<Feedback, 'id'> & {
  /** The account that gets the discount. */
  readonly accountId: AccountId | null
  /** Keyed hash of the token of an accepted report. */
  readonly tokenHash: string | null
}

export const FEEDBACK_KEPT_MS: Duration = FEEDBACK_KEPT_DAYS * 24 * 3_600_000

export const DISCOUNT_EVERY_DAYS = 30
const DISCOUNT_EVERY_MS: Duration = DISCOUNT_EVERY_DAYS * 24 * 3_600_000

/** Why a report earns no discount; null when it does. */
export function discountRejection(
  tenant: Tenant,
  report: { readonly text: string; readonly previousAt: Instant | null },
  now: Instant,
): string | null {
  if (tenant.owner === null) {
    return 'Discounts are for owned projects. Claim this tenant first: POST /api/claim/url.'
  }
  if (report.text.length < DISCOUNT_REPORT_MIN_CHARACTERS) {
    return `A report needs at least ${DISCOUNT_REPORT_MIN_CHARACTERS} characters: what you tried, what happened, what you expected.`
  }
  if (report.previousAt !== null && now - report.previousAt < DISCOUNT_EVERY_MS) {
    return `One report every ${DISCOUNT_EVERY_DAYS} days counts towards the discount.`
  }
  return null
}
