import { createHmac } from 'node:crypto'
import { ACCESS_TOKEN_SECONDS } from '@gatehouse/contract'
import type { ResourceId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Keyring } from './keyring.ts'
import { constantTimeEqual } from './secret.ts'

/** Tokens are well under 1 KiB; what is longer is not read. */
const TOKEN_MAX_CHARACTERS = 4_096
/** An instance whose clock runs ahead of ours may have signed it. */
const CLOCK_SKEW_SECONDS = 60
const PROFILE_TEXT_MAX = 512

/** What an access token says. Names are short where apps have no use for them. */
export interface AccessTokenClaims {
  readonly iss: string
  readonly tenant_id: TenantId
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  /** The session, its generation, and the resource they belong to: revocation is decided by these. */
  readonly sid: SessionId
  readonly gen: number
  readonly rid: ResourceId
  /** When the guest tenant ends, in milliseconds; absent for an owned one. Lets verify say 410 without a database. */
  readonly tenant_ends?: number
  readonly iat: number
  readonly exp: number
}

export type TokenSubject = Omit<AccessTokenClaims, 'iat' | 'exp'>

const purposeFor = (tenantId: TenantId): string => `access-token|v1|${tenantId}`

/**
 * The header is a constant for each key, compared byte for byte: nothing in a token chooses how it is checked
 * (no `alg` is ever read), which is where JWT confusion attacks begin.
 */
const headerFor = (kid: number): string =>
  Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: String(kid) })).toString('base64url')

const headers = new Map<number, string>()
const header = (kid: number): string => {
  const known = headers.get(kid)
  if (known !== undefined) return known
  const made = headerFor(kid)
  headers.set(kid, made)
  return made
}

/** HS256 under a key of the tenant's own, so that a token of one tenant is noise to every other. */
export function signAccessToken(keyring: Keyring, subject: TokenSubject, issuedAt: Instant): string {
  const iat = Math.floor(issuedAt / 1_000)
  const claims: AccessTokenClaims = {
    ...subject,
    // A long picture address would make the callback address too long for some servers.
    picture: subject.picture !== null && subject.picture.length > PROFILE_TEXT_MAX ? null : subject.picture,
    iat,
    exp: iat + ACCESS_TOKEN_SECONDS,
  }
  const kid = keyring.current.kid
  const signed = `${header(kid)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${mac(keyring, kid, subject.tenant_id, signed)}`
}

/** What a token of ours for this tenant says; null for any other. It may still be out of date or revoked. */
export function readAccessToken(
  keyring: Keyring,
  issuer: string,
  tenantId: TenantId,
  token: string,
): AccessTokenClaims | null {
  if (token.length > TOKEN_MAX_CHARACTERS) return null
  const dot = token.lastIndexOf('.')
  const headerEnd = token.indexOf('.')
  if (headerEnd < 0 || headerEnd === dot) return null
  const head = token.slice(0, headerEnd)
  const kid = keyring.kids.find((candidate) => head === header(candidate))
  if (kid === undefined) return null
  const expected = mac(keyring, kid, tenantId, token.slice(0, dot))
  // As text: base64url has several spellings of the same bytes, and only the one we write is ours.
  if (expected === null || !constantTimeEqual(expected, token.slice(dot + 1))) return null
  const claims = JSON.parse(Buffer.from(token.slice(headerEnd + 1, dot), 'base64url').toString()) as AccessTokenClaims
  return claims.iss === issuer && claims.tenant_id === tenantId ? claims : null
}

export function isWithinValidity({ iat, exp }: Pick<AccessTokenClaims, 'iat' | 'exp'>, now: Instant): boolean {
  const seconds = now / 1_000
  return seconds < exp && iat <= seconds + CLOCK_SKEW_SECONDS
}

function mac(keyring: Keyring, kid: number, tenantId: TenantId, signed: string): string | null {
  const key = keyring.derive(kid, purposeFor(tenantId))
  return key === null ? null : createHmac('sha256', key).update(signed).digest('base64url')
}
