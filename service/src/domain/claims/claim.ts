import { CLAIM_LINK_SECONDS } from '@gatehouse-auth/contract'
import type { AccountId, ClaimId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import { type RandomBytes, uniform } from '../tokens/random-text.ts'

/** A link with which a user can become the owner of a guest tenant. Decided once. */
export interface Claim {
  readonly id: ClaimId
  readonly tenantId: TenantId
  /** Shown by the agent and on the page; the user compares them, which prevents approving an attacker's link (RFC 10027). */
  readonly confirmationCode: string
  readonly decision: 'pending' | 'approved' | 'denied' | 'superseded'
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly decidedAt: Instant | null
  /** The account that decided. */
  readonly decidedBy: AccountId | null
  /** Keyed hash of a secret that only the session that decided can derive. */
  readonly decisionHash: string | null
}

export type NewClaim = Pick<Claim, 'tenantId' | 'confirmationCode' | 'createdAt' | 'expiresAt'>

const CLAIM_LINK_MS: Duration = CLAIM_LINK_SECONDS * 1_000

/** The link never outlives the tenant: requesting one does not extend the 72 hours. */
export const claimExpiry = (tenantExpiresAt: Instant | null, now: Instant): number =>
  Math.min(now + CLAIM_LINK_MS, tenantExpiresAt ?? Number.POSITIVE_INFINITY)

/** The wait token outlives the link, so that a waiting client can still read the decision. */
const WAIT_TOKEN_EXTRA_MS: Duration = 5 * 60_000

export const waitExpiry = (claim: Pick<Claim, 'expiresAt'>): number =>
  claim.expiresAt + WAIT_TOKEN_EXTRA_MS

export type ClaimStatus = 'pending' | 'approved' | 'denied' | 'superseded' | 'expired'

/** Only a pending claim can expire. */
export const claimStatusAt = (claim: Claim, now: Instant): ClaimStatus =>
  claim.decision === 'pending' && now >= claim.expiresAt ? 'expired' : claim.decision

// Without characters that look or sound alike (0/O, 1/I/L, U/V): the code is compared by eye and read aloud.
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ'
const CODE_CHARACTERS = 6

export const mintConfirmationCode = (random: RandomBytes): string =>
  uniform(CODE_CHARACTERS, CODE_ALPHABET.length, random)
    .map((at) => CODE_ALPHABET[at])
    .join('')
