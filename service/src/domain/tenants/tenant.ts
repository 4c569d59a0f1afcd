import { GUEST_LIFETIME_SECONDS, type RuntimeProfile, type Tier } from '@gatehouse/contract'
import type { AccountId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

export const GUEST_LIFETIME_MS: Duration = GUEST_LIFETIME_SECONDS * 1_000

export type PauseReason = 'lifetime_events' | 'stored_users'

/** The API that created it. */
export type TenantOrigin = 'genesis' | 'mcp' | 'bootstrap'

export interface Owner {
  readonly accountId: AccountId
  readonly tier: Exclude<Tier, 'ephemeral'>
}

export interface Suspension {
  readonly at: Instant
  /** In the operator's words. For the owner, never for strangers. */
  readonly reason: string
}

export interface Tenant {
  readonly id: TenantId
  readonly origin: TenantOrigin
  /** The storage generation it was created on. Only reported; see runtime-profile.ts. */
  readonly profile: RuntimeProfile
  readonly createdAt: Instant
  /** null once claimed: an owned tenant does not expire. */
  readonly expiresAt: Instant | null
  readonly claimedAt: Instant | null
  readonly owner: Owner | null
  /** Keyed hash of the guest whose OAuth grant created it; null: created otherwise. */
  readonly creatorGuestHash: string | null
  readonly pausedAt: Instant | null
  readonly pauseReason: PauseReason | null
  /** The operator's decision, whatever the owner does. null: not suspended. */
  readonly suspension: Suspension | null
}

/** A tenant in the console of its owner. */
export interface OwnedTenant extends Tenant {
  /** What the owner calls it; null: nothing (project-name.ts). */
  readonly name: string | null
}

export type TenantLifecycle = 'ephemeral' | 'claimed'

export type TenantStatus = TenantLifecycle | 'paused' | 'suspended' | 'expired'

export const lifecycleOf = (tenant: Tenant): TenantLifecycle => (tenant.claimedAt === null ? 'ephemeral' : 'claimed')

/**
 * A guest tenant expires 72 hours after its creation; only a claim lifts that (spec, States). It also expires while
 * suspended or paused, so expiry is checked first. A claim lifts a pause, but no suspension.
 */
export function statusAt(tenant: Tenant, now: Instant): TenantStatus {
  if (tenant.expiresAt !== null && now >= tenant.expiresAt) return 'expired'
  if (tenant.suspension !== null) return 'suspended'
  if (tenant.pausedAt !== null) return 'paused'
  return lifecycleOf(tenant)
}

/** The tier of the owner; `ephemeral` for a guest tenant. */
export const tierOf = (tenant: Tenant): Tier => tenant.owner?.tier ?? 'ephemeral'
