import type { RuntimeProfile } from '@gatehouse/contract'
import type { Instant } from '../time.ts'
import type { RandomBytes } from '../tokens/uniform.ts'
import { GUEST_LIFETIME_MS, type Owner, type Tenant, type TenantOrigin } from './tenant.ts'
import { mintTenantId } from './tenant-id.ts'

interface NewTenantInput {
  readonly origin: TenantOrigin
  readonly profile: RuntimeProfile
  readonly now: Instant
  /** null: a guest. */
  readonly owner: Owner | null
  readonly creatorGuestHash?: string
}

/** A guest tenant expires after 72 hours unless it is claimed; a tenant with an owner does not expire. */
export const newTenant = (
  { origin, profile, now, owner, creatorGuestHash }: NewTenantInput,
  random: RandomBytes,
): Tenant => ({
  id: mintTenantId(random),
  origin,
  profile,
  createdAt: now,
  expiresAt: owner === null ? now + GUEST_LIFETIME_MS : null,
  claimedAt: owner === null ? null : now,
  owner,
  creatorGuestHash: creatorGuestHash ?? null,
  pausedAt: null,
  pauseReason: null,
  suspension: null,
})
