import { ACCESS_TOKEN_SECONDS } from '@gatehouse-auth/contract'
import { hasDuplicateName } from '../duplicate-names.ts'
import type { ResourceId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Keyring } from './keyring.ts'
import { constantTimeEqual } from './secret.ts'

/** The claims of an access token. */
export interface AccessTokenClaims {
  readonly iss: string
  readonly tenant_id: TenantId
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  /** Session, generation and resource, for revocation. */
  readonly sid: SessionId
  readonly gen: number
  readonly rid: ResourceId
  /** When the guest tenant expires, in milliseconds; absent for an owned one. Lets verify return 410 without a query. */
  readonly tenant_ends?: number
  readonly iat: number
  readonly exp: number
}

export type TokenSubject = Omit<AccessTokenClaims, 'iat' | 'exp'>

const PROFILE_TEXT_MAX = 512

/** HS256 with a key derived for the tenant, so that no other tenant accepts the token. */
export function signAccessToken(
  keyring: Keyring,
  subject: TokenSubject,
  issuedAt: Instant,
  seconds = ACCESS_TOKEN_SECONDS,
): string {
  const iat = Math.floor(issuedAt / 1_000)
  const claims: AccessTokenClaims = {
    ...subject,
    picture: shortPicture(subject.picture),
    iat,
    exp: iat + seconds,
  }
  const kid = keyring.current.kid
  const signed = `${header(kid)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${mac(keyring, kid, subject.tenant_id, signed)}`
}

/** A long picture URL would make the callback URL too long for some servers. */
function shortPicture(picture: string | null): string | null {
  const isLong = picture !== null && picture.length > PROFILE_TEXT_MAX
  return isLong ? null : picture
}

/** Issued tokens are well under 1 KiB. */
const TOKEN_MAX_CHARACTERS = 4_096

/** The claims of an authentic token of this tenant, else null. Does not check expiry and revocation. */
export function readAccessToken(
  keyring: Keyring,
  issuer: string,
  tenantId: TenantId,
  token: string,
): AccessTokenClaims | null {
  if (token.length > TOKEN_MAX_CHARACTERS) {
    return null
  }
  const dot = token.lastIndexOf('.')
  const headerEnd = token.indexOf('.')
  if (headerEnd < 0 || headerEnd === dot) {
    return null
  }
  const head = token.slice(0, headerEnd)
  const kid = keyring.kids.find((candidate) => head === header(candidate))
  if (kid === undefined) {
    return null
  }
  const expected = mac(keyring, kid, tenantId, token.slice(0, dot))
  // Compared as text, because base64url has several encodings of the same bytes, and only the canonical one is accepted.
  if (expected === null || !constantTimeEqual(expected, token.slice(dot + 1))) {
    return null
  }
  const claims = readClaims(Buffer.from(token.slice(headerEnd + 1, dot), 'base64url').toString())
  return claims !== null && claims.iss === issuer && claims.tenant_id === tenantId ? claims : null
}

/**
 * The header is constant for each key and compared byte for byte. `alg` is never read from a token, which prevents
 * algorithm confusion.
 */
const headerFor = (kid: number): string =>
  Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: String(kid) })).toString('base64url')

const headers = new Map<number, string>()

function header(kid: number): string {
  const cached = headers.get(kid)
  if (cached !== undefined) {
    return cached
  }
  const created = headerFor(kid)
  headers.set(kid, created)
  return created
}

const PURPOSE = 'access-token|v1'

function mac(keyring: Keyring, kid: number, tenantId: TenantId, signed: string): string | null {
  return keyring.derive(kid, PURPOSE, tenantId)?.mac(signed) ?? null
}

/**
 * Prevents accepting a signed token with mistyped claims: JavaScript would compare a string `exp` as a number, and a
 * session without `sid` could never be revoked (RFC 7519, section 4.1.4).
 */
function readClaims(json: string): AccessTokenClaims | null {
  try {
    const claims: unknown = JSON.parse(json)
    // Another parser may take the first of two values.
    if (hasDuplicateName(json)) {
      return null
    }
    const isValid = typeof claims === 'object' && claims !== null && areTyped(claims)
    return isValid ? claims : null
  } catch {
    return null
  }
}

type UncheckedClaims = { readonly [name in keyof AccessTokenClaims]?: unknown }

/** `iss` and `tenant_id` are compared with a text anyway. A table of checks would cost more than parsing the claims. */
const areTyped = (claims: UncheckedClaims): claims is AccessTokenClaims =>
  isWholeNumber(claims.id) &&
  isText(claims.email) &&
  isTextOrNull(claims.name) &&
  isTextOrNull(claims.picture) &&
  isWholeNumber(claims.sid) &&
  isWholeNumber(claims.gen) &&
  isWholeNumber(claims.rid) &&
  (claims.tenant_ends === undefined || isWholeNumber(claims.tenant_ends)) &&
  isWholeNumber(claims.iat) &&
  isWholeNumber(claims.exp)

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isWholeNumber = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** For a token signed by an instance whose clock is ahead. */
const CLOCK_SKEW_SECONDS = 60

export function isWithinValidity(
  { iat, exp }: Pick<AccessTokenClaims, 'iat' | 'exp'>,
  now: Instant,
): boolean {
  const seconds = now / 1_000
  return seconds < exp && iat <= seconds + CLOCK_SKEW_SECONDS
}
