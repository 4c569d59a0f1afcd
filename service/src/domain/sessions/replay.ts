import type { Duration, Instant } from '../time.ts'
import type { LateRepeat, Session } from './session.ts'

/** Two tabs or servers of one app may refresh at the same time; the slower one is tolerated for this long. */
export const RACE_WINDOW_MS: Duration = 10_000
/** A retry with the same Idempotency-Key gets the same response for this long. */
const IDEMPOTENCY_WINDOW_MS: Duration = 60_000
/** A retry with the same bound key gets a new access token for this long. */
const LATE_WINDOW_MS: Duration = 24 * 3_600_000

/**
 * Our SDK derives such keys from the app's secret, a cookie that binds the browser, and the refresh token (decision 44).
 * Every process of an app derives the same key, and a stolen refresh token alone does not give it.
 */
const BOUND_KEY_PREFIX = 'gh1_'

export interface Presented {
  readonly generation: number
  readonly idempotencyKey: string | null
  /** The hashes of the key, one for each master key. */
  readonly idempotencyHashes: readonly string[]
}

type SpentToken =
  /** A retry after a lost response, or within the leeway of the resource: it gets the same pair. */
  | { readonly kind: 'repeat' }
  /** A retry much later, by the same browser of the same app: the same refresh token, and a new access token. */
  | { readonly kind: 'late'; readonly until: Instant }
  /** Lost a race. It gets no tokens, and the session continues. */
  | { readonly kind: 'superseded' }
  /** The token may be stolen, so the session must end. */
  | { readonly kind: 'reused' }

/**
 * Classifies the use of a spent refresh token (decisions 13 and 44; RFC 9700, section 4.14). The rule for a current one
 * stands in the two engines: storage/sqlite/refresh.ts and service/content/functions.postgres.sql (`gatehouse_refresh_v2`).
 */
export function classifySpentToken(
  session: Session,
  presented: Presented,
  leewaySeconds: number,
  now: Instant,
): SpentToken {
  // Only the direct predecessor: then the current token was never used to refresh.
  if (presented.generation !== session.generation - 1) {
    return { kind: 'reused' }
  }
  const age = now - session.rotatedAt
  const { idempotencyHash } = session
  const hasSameKey =
    idempotencyHash !== null && presented.idempotencyHashes.includes(idempotencyHash)
  if (hasSameKey && age <= IDEMPOTENCY_WINDOW_MS) {
    return { kind: 'repeat' }
  }
  // Without a leeway a request within the same millisecond is a race.
  if (leewaySeconds > 0 && age <= leewaySeconds * 1_000) {
    return { kind: 'repeat' }
  }
  if (hasSameKey && presented.idempotencyKey?.startsWith(BOUND_KEY_PREFIX)) {
    const until = lateUntil(session, session.late)
    if (until !== null && now <= until) {
      return { kind: 'late', until }
    }
  }
  return { kind: age <= RACE_WINDOW_MS ? 'superseded' : 'reused' }
}

/**
 * Until when this generation can be issued again; null if not at all. Not for two generations running: a thief who has
 * copied all cookies and follows the victim needs a late repeat in every generation, an honest browser almost never does.
 */
function lateUntil(session: Session, late: LateRepeat | null): Instant | null {
  if (late?.generation === session.generation) {
    return late.until
  }
  if (late?.generation === session.generation - 1) {
    return null
  }
  return session.rotatedAt + LATE_WINDOW_MS
}
