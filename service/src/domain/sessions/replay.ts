import type { Duration, Instant } from '../time.ts'
import type { Session } from './session.ts'

/** Two tabs or two servers of one app that refresh at the same moment: the slower one is excused this long. */
export const RACE_WINDOW_MS: Duration = 10_000
/** A lost answer can be fetched again with the same Idempotency-Key for this long. */
const IDEMPOTENCY_WINDOW_MS: Duration = 60_000

export interface Presented {
  readonly generation: number
  /** The keyed hashes this client may have been remembered under. */
  readonly clientHashes: readonly string[]
  readonly idempotencyHashes: readonly string[]
}

/**
 * What a spent refresh token means (decision 13; RFC 9700, section 4.14).
 *
 * - `repeat`: the same request again after a lost answer; it gets the same pair.
 * - `superseded`: lost a race a moment ago against the same client. It gets nothing, and the session lives.
 * - `reused`: anything else. Somebody holds a token they should not; the session must end.
 *
 * Without the client's fingerprint a thief who refreshes just before the victim would hide in the race window.
 */
export function classifySpentToken(
  session: Session,
  presented: Presented,
  now: Instant,
): 'repeat' | 'superseded' | 'reused' {
  const age = now - session.rotatedAt
  if (presented.generation !== session.generation - 1) return 'reused'
  const { idempotencyHash, fingerprint } = session
  if (
    age <= IDEMPOTENCY_WINDOW_MS &&
    idempotencyHash !== null &&
    presented.idempotencyHashes.includes(idempotencyHash)
  ) {
    return 'repeat'
  }
  if (age <= RACE_WINDOW_MS && fingerprint !== null && presented.clientHashes.includes(fingerprint)) return 'superseded'
  return 'reused'
}
