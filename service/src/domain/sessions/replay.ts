import type { Duration, Instant } from '../time.ts'
import type { Session } from './session.ts'

/** Two tabs or servers of one app may refresh at the same time; the slower one is tolerated for this long. */
export const RACE_WINDOW_MS: Duration = 10_000
/** A retry with the same Idempotency-Key gets the same response for this long. */
const IDEMPOTENCY_WINDOW_MS: Duration = 60_000

export interface Presented {
  readonly generation: number
  /** The fingerprint of the client under each master key. */
  readonly clientHashes: readonly string[]
  readonly idempotencyHashes: readonly string[]
}

/**
 * Classifies the use of a spent refresh token (decision 13; RFC 9700, section 4.14).
 *
 * - `repeat`: a retry after a lost response; it gets the same pair.
 * - `superseded`: lost a race against the same client. It gets no tokens, and the session continues.
 * - `reused`: anything else. The token may be stolen, so the session must end.
 *
 * Without the fingerprint, a thief who refreshes just before the victim would pass as a lost race.
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
