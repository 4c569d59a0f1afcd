import { CLAIM_LINK_SECONDS } from '@gatehouse/contract'
import type { ClaimId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import { type RandomBytes, uniform } from '../tokens/uniform.ts'

const CLAIM_LINK_MS: Duration = CLAIM_LINK_SECONDS * 1_000
/** Whoever waits still hears the end of a link that has just expired. */
const WAIT_LONGER_MS: Duration = 5 * 60_000

/** An offer of ownership: one link, one person's decision, once. */
export interface Claim {
  readonly id: ClaimId
  readonly tenantId: TenantId
  /** Printed by the agent and shown to the person, who compares the two (RFC 10027: attacker starts, victim approves). */
  readonly confirmationCode: string
  readonly decision: 'pending' | 'approved' | 'denied' | 'superseded'
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export type NewClaim = Omit<Claim, 'id' | 'decision'>

/** The link never outlives the tenant: a guest's 72 hours are not extended by asking. */
export const claimExpiry = (tenantExpiresAt: Instant | null, now: Instant): number =>
  Math.min(now + CLAIM_LINK_MS, tenantExpiresAt ?? Number.POSITIVE_INFINITY)

export const waitExpiry = (claim: Pick<Claim, 'expiresAt'>): number => claim.expiresAt + WAIT_LONGER_MS

export type ClaimStatus = 'pending' | 'approved' | 'denied' | 'superseded' | 'expired'

/** A decision stays a decision; only an open link can run out of time. */
export const claimStatusAt = (claim: Claim, now: Instant): ClaimStatus =>
  claim.decision === 'pending' && now >= claim.expiresAt ? 'expired' : claim.decision

// Without 0/O, 1/I/L, U/V and the like: it is read aloud and compared by eye.
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ'
const CODE_CHARACTERS = 6

export const mintConfirmationCode = (random: RandomBytes): string =>
  uniform(CODE_CHARACTERS, CODE_ALPHABET.length, random)
    .map((at) => CODE_ALPHABET[at])
    .join('')
