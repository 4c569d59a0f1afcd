import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { AttemptId, SessionId, UserId } from '../ids.ts'
import { NO_CHALLENGE, type OpenIdRequest } from '../issuer/openid-request.ts'
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
  /** null: the app exchanges it at our own endpoint. */
  readonly openId: OpenIdRequest | null
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

/** How an app shows that a code is its own. */
export type CodeProof =
  /** At our own endpoint. */
  | { readonly kind: 'verifier'; readonly verifier: string }
  /** At the token endpoint of OpenID Connect. */
  | {
      readonly kind: 'openid'
      readonly redirectUri: string
      readonly verifier: string | null
      /** The application key came with the request. */
      readonly hasKey: boolean
    }

/**
 * Prevents the injection of a code of another app or browser. A code of an OpenID request is worthless at our own endpoint,
 * which knows no keys, and the other way round. Prevents a downgrade, too: who started with a challenge needs its verifier,
 * the key alone is not enough, and a verifier without a challenge is refused (RFC 9700, section 4.8.2).
 */
export function isProven(
  { challenge, openId }: Pick<LoginCode, 'challenge' | 'openId'>,
  proof: CodeProof,
): boolean {
  if (proof.kind === 'verifier') {
    return openId === null && fitsChallenge(proof.verifier, challenge)
  }
  if (openId === null || proof.redirectUri !== openId.redirectUri) {
    return false
  }
  if (challenge === NO_CHALLENGE) {
    return proof.verifier === null && proof.hasKey
  }
  return proof.verifier !== null && fitsChallenge(proof.verifier, challenge)
}

export interface PresentedCode {
  readonly proof: CodeProof
  /** The hashes of the Idempotency-Key, one for each master key; none without a key. */
  readonly idempotencyHashes: readonly string[]
}

/** A retry by the app that exchanged the code, after a lost response; the session is as the exchange left it. */
export function isRepeatedExchange(
  code: LoginCode,
  session: Pick<Session, 'generation' | 'idempotencyHash'>,
  { proof, idempotencyHashes }: PresentedCode,
  now: Instant,
): boolean {
  const { generation, idempotencyHash } = session
  if (code.usedAt === null || now - code.usedAt > REPEATED_EXCHANGE_MS || generation !== 1) {
    return false
  }
  if (idempotencyHash === null || !idempotencyHashes.includes(idempotencyHash)) {
    return false
  }
  return isProven(code, proof)
}
