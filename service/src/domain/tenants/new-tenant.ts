import type { RuntimeProfile } from '@gatehouse/contract'
import type { Instant } from '../time.ts'
import type { RandomBytes } from '../tokens/uniform.ts'
import { GUEST_LIFETIME_MS, type Owner, type Tenant, type TenantOrigin } from './tenant.ts'
import { mintTenantId } from './tenant-id.ts'

interface Beginning {
  readonly origin: TenantOrigin
  readonly profile: RuntimeProfile
  readonly now: Instant
  /** null: a guest. */
  readonly owner: Owner | null
  readonly creatorGuestHash?: string
}

/** A guest ends after 72 hours unless somebody claims it; what an account creates is owned from the first moment. */
export const newTenant = (
  { origin, profile, now, owner, creatorGuestHash }: Beginning,
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
})
