import { ApiError } from '../api-error.ts'
import type { Instant } from '../time.ts'
import { statusAt, type Tenant } from './tenant.ts'

/** The kinds of actions that depend on the status of a tenant. */
export type TenantAction =
  /** Allowed in every status. */
  | 'status'
  /** Allowed while paused. */
  | 'claim'
  | 'feedback'
  | 'delete'
  | 'logout'
  | 'diagnose'
  /** All other actions. */
  | 'use'

/** Throws if the status of the tenant does not allow the action (decision 13). */
export function requireTenantAccess(tenant: Tenant, action: TenantAction, now: Instant): void {
  const status = statusAt(tenant, now)
  if (action === 'status') return
  if (status === 'expired') throw tenantExpired()
  if (status === 'paused' && action === 'use') throw tenantPaused(tenant.pauseReason, tenant.expiresAt)
}

export const tenantExpired = (): ApiError =>
  new ApiError(
    'tenantExpired',
    'This tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it. Create a new one.',
  )

const PAUSE_REASONS = {
  lifetime_events: 'it used its 100 sign-in events',
  stored_users: 'it reached the most people a guest may store',
} as const

export const tenantPaused = (reason: Tenant['pauseReason'], tenantEndsAt: Instant | null = null): ApiError =>
  new ApiError(
    'tenantPaused',
    `This tenant is paused${reason === null ? '' : ` because ${PAUSE_REASONS[reason]}`}. Claim it to continue: POST /api/claim/url.`,
    { details: { pause_reason: reason }, tenantEndsAt },
  )
