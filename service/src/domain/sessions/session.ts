import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '@gatehouse/contract'
import type { SessionId, UserId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

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
