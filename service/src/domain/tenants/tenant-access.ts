import { ApiError } from '../api-error.ts'
import type { Instant } from '../time.ts'
import { statusAt, type Tenant } from './tenant.ts'

/** What somebody wants to do with a tenant, as far as its state has a say. */
export type TenantAction =
  /** Works in every state but gone. */
  | 'status'
  /** Works while paused too: what ends a pause, complains about it, or cleans up. */
  | 'claim'
  | 'feedback'
  | 'delete'
  /** Everything else. */
  | 'use'

/** Refuses what the tenant's state no longer allows (decision 13). */
export function requireTenantAccess(tenant: Tenant, act: TenantAction, now: Instant): void {
  const status = statusAt(tenant, now)
  if (act === 'status') return
  if (status === 'expired') throw tenantExpired()
  if (status === 'paused' && act === 'use') throw tenantPaused(tenant.pauseReason)
}

export const tenantExpired = (): ApiError =>
  new ApiError(
    'tenantExpired',
    'This tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it. Create a new one.',
  )

const PAUSE_WORDS = {
  lifetime_events: 'it used its 100 sign-in events',
  stored_users: 'it reached the most people a guest may store',
} as const

export const tenantPaused = (reason: Tenant['pauseReason']): ApiError =>
  new ApiError(
    'tenantPaused',
    `This tenant is paused${reason === null ? '' : ` because ${PAUSE_WORDS[reason]}`}. Claim it to continue: POST /api/claim/url.`,
    { details: { pause_reason: reason } },
  )
