import { ApiError } from '../api-error.ts'
import type { Instant } from '../time.ts'
import { statusAt, type Tenant } from './tenant.ts'

/** The kinds of actions that depend on the status of a tenant. */
export type TenantAction =
  /** Allowed in every status. */
  | 'status'
  /** Allowed while paused and while suspended. */
  | 'feedback'
  | 'logout'
  | 'diagnose'
  /** Allowed while paused. */
  | 'claim'
  | 'delete'
  /** Allowed while suspended: what changes nothing. */
  | 'read'
  /** All other actions. */
  | 'use'

const WHILE_PAUSED: ReadonlySet<TenantAction> = new Set(['feedback', 'logout', 'diagnose', 'claim', 'delete'])
const WHILE_SUSPENDED: ReadonlySet<TenantAction> = new Set(['feedback', 'logout', 'diagnose', 'read'])

/** Throws if the status of the tenant does not allow the action (decision 13). */
export function requireTenantAccess(tenant: Tenant, action: TenantAction, now: Instant): void {
  const status = statusAt(tenant, now)
  if (action === 'status') return
  if (status === 'expired') throw tenantExpired()
  if (status === 'suspended' && !WHILE_SUSPENDED.has(action)) throw tenantSuspended()
  if (status === 'paused' && !WHILE_PAUSED.has(action)) throw tenantPaused(tenant.pauseReason, tenant.expiresAt)
}

/** Without the reason: anyone can open a login link, and the reason is for the owner (GET /api/status). */
export const tenantSuspended = (): ApiError =>
  new ApiError(
    'tenantSuspended',
    'The operator of this service suspended this tenant. Nothing is lost. Its owner reads why with GET /api/status, and can answer with POST /api/feedback/service.',
  )

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
