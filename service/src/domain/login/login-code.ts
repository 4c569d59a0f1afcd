import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { AttemptId, SessionId, UserId } from '../ids.ts'
import { fitsChallenge } from '../oauth/token.ts'
import type { Session } from '../sessions/session.ts'
import type { Duration, Instant } from '../time.ts'
import type { Keyring } from '../tokens/keyring.ts'

/** `code`: every login must start with a challenge. */
export type CallbackMode = 'either' | 'code'

/** An app exchanges the code when its callback is opened. */
export const LOGIN_CODE_MS: Duration = 60_000
export const WRONG_VERIFIERS_MAX = 5
/** An exchange that is repeated with its Idempotency-Key gets the same pair for this long. */
const REPEATED_EXCHANGE_MS: Duration = 60_000
/** A code is kept after it expired, so that a second use ends its session (ASVS 10.4.2). */
export const LOGIN_CODES_KEPT_MS: Duration = 10 * 60_000

export interface NewLoginCode {
  readonly hash: string
  readonly userId: UserId
  readonly challenge: string
  readonly redirectUri: string
  readonly expiresAt: Instant
}

/** The one-time code of a callback. It has no session until it is exchanged. */
export interface LoginCode extends NewLoginCode {
  /** Also set by too many wrong verifiers. */
  readonly usedAt: Instant | null
  readonly sessionId: SessionId | null
}

const HINT_CHARACTERS = 8
const CODE = new RegExp(
  `^${SECRET_PREFIXES.loginCode}[A-Za-z0-9_-]{${HINT_CHARACTERS}}_[A-Za-z0-9_-]{43}$`,
)

/** Other text is rejected without a query. */
export const isLoginCode = (text: string): boolean => CODE.test(text)

/**
 * Derived, not stored, so that a repeated decision gets the same code (decision 43). The first characters of the challenge
 * tell an app which of its verifiers fits: logins in two tabs have two.
 */
export const deriveLoginCode = (
  keyring: Keyring,
  {
    id,
    challenge,
    browser,
  }: { readonly id: AttemptId; readonly challenge: string; readonly browser: string },
  kid = keyring.current.kid,
): string => {
  const secret = keyring.mac('login-code', `${id}\0${browser}`, kid)
  return `${SECRET_PREFIXES.loginCode}${challenge.slice(0, HINT_CHARACTERS)}_${secret}`
}

export interface PresentedCode {
  readonly verifier: string
  /** The hashes of the Idempotency-Key, one for each master key; none without a key. */
  readonly idempotencyHashes: readonly string[]
}

/** A retry by the app that exchanged the code, after a lost response; the session is as the exchange left it. */
export function isRepeatedExchange(
  { challenge, usedAt }: LoginCode,
  session: Pick<Session, 'generation' | 'idempotencyHash'>,
  { verifier, idempotencyHashes }: PresentedCode,
  now: Instant,
): boolean {
  const { generation, idempotencyHash } = session
  if (usedAt === null || now - usedAt > REPEATED_EXCHANGE_MS || generation !== 1) {
    return false
  }
  if (idempotencyHash === null || !idempotencyHashes.includes(idempotencyHash)) {
    return false
  }
  return fitsChallenge(verifier, challenge)
}
