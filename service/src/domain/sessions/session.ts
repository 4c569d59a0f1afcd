import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '@gatehouse-auth/contract'
import type { ResourceId, SessionId, UserId } from '../ids.ts'
import type { Charges, ReachedLimit } from '../limits/allowance.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Duration, Instant } from '../time.ts'
import type { User } from '../users/user.ts'

export const ACCESS_TOKEN_MS: Duration = ACCESS_TOKEN_SECONDS * 1_000
export const REFRESH_TOKEN_MS: Duration = REFRESH_TOKEN_SECONDS * 1_000
/** Absolute lifetime, regardless of refreshes (ASVS 10.4.8; decision 13). */
export const SESSION_ABSOLUTE_MS: Duration = 365 * 24 * 3_600_000

/** One sign-in of one user. Its tokens are derived from it and not stored. */
export interface Session {
  /** Sequential, which keeps the index small. It need not be secret: a token also has a MAC and the salt. */
  readonly id: SessionId
  readonly userId: UserId
  /** Random. Refresh tokens are derived from it and a master key. */
  readonly salt: Uint8Array
  /** Incremented by each refresh. Tokens of older generations are spent. */
  readonly generation: number
  readonly createdAt: Instant
  readonly rotatedAt: Instant
  readonly expiresAt: Instant
  readonly absoluteExpiresAt: Instant
  /** Keyed hash of the Idempotency-Key of the last refresh, or of the exchange before the first one, if it had one. */
  readonly idempotencyHash: string | null
  /** The last late repeat: the generation that was issued again, and until when it can be (replay.ts). */
  readonly late: LateRepeat | null
}

export interface LateRepeat {
  readonly generation: number
  readonly until: Instant
}

/** The compare-and-swap of a session to its next generation. */
export interface Rotation {
  readonly sessionId: SessionId
  readonly generation: number
  readonly salt: Uint8Array
  readonly now: Instant
  readonly expiresAt: Instant
  readonly idempotencyHash: string | null
}

/** Everything that one refresh changes. Atomic; concurrent refreshes may share a commit. */
export interface Refresh {
  /**
   * May be cached for some seconds; the charges are computed from it, so the store compares it with the row. Never a
   * suspended one: the store only checks that the row is not suspended now.
   */
  readonly tenant: Tenant
  readonly charges: Charges
  readonly rotation: Rotation
}

export type RefreshOutcome =
  | {
      readonly outcome: 'refreshed'
      readonly resourceId: ResourceId
      readonly session: Omit<Session, 'late'>
      readonly user: User
      /** How many more refreshes the minute admits; null: any number. */
      readonly leftThisMinute: number | null
    }
  /** The token is spent, expired, revoked or was never issued. */
  | { readonly outcome: 'not-current' }
  | { readonly outcome: 'over-limit'; readonly reached: ReachedLimit }
  | { readonly outcome: 'not-provisioned' }
  /** The tenant was claimed, paused, suspended or ended, or changed its tier: read it again. */
  | { readonly outcome: 'tenant-changed' }
