import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '@gatehouse/contract'
import type { SessionId, UserId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

export const ACCESS_TOKEN_MS: Duration = ACCESS_TOKEN_SECONDS * 1_000
export const REFRESH_TOKEN_MS: Duration = REFRESH_TOKEN_SECONDS * 1_000
/** However often it is refreshed, a session ends after a year (ASVS 10.4.8; decision 13). */
export const SESSION_ABSOLUTE_MS: Duration = 365 * 24 * 3_600_000

/** One sign-in of one person. Tokens are derived from it; none is stored. */
export interface Session {
  /** Dense: rows found by a dense integer stay cheap at any size, and the random part is checked by a MAC. */
  readonly id: SessionId
  readonly userId: UserId
  /** Random, per session: with the server's key it makes the refresh tokens; alone it makes nothing. */
  readonly salt: Uint8Array
  /** Counts refreshes. The tokens of an older generation are spent. */
  readonly generation: number
  readonly createdAt: Instant
  readonly rotatedAt: Instant
  readonly expiresAt: Instant
  readonly absoluteExpiresAt: Instant
  /** Keyed hash of the client that made the last rotation: tells two tabs of one app from a thief. */
  readonly fingerprint: string | null
  /** Keyed hash of the Idempotency-Key of the last rotation, if it had one. */
  readonly idempotencyHash: string | null
}
