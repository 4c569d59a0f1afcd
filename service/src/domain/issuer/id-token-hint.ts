import { createPublicKey, verify } from 'node:crypto'
import type { RsaPublicKey } from './signing-key.ts'

/** What a logout needs of an ID token. */
export interface IdTokenHint {
  readonly sub: string
  readonly sid: string
}

interface Expected {
  readonly issuer: string
  readonly audience: string
  /** Old ones included: an ID token of yesterday still names its session. */
  readonly keys: readonly RsaPublicKey[]
}

const JWT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/
const HINT_MAX_CHARACTERS = 8_192

/**
 * Reads an ID token of the token endpoint, also one that has expired (OpenID Connect RP-Initiated Logout, section 2); null if it
 * is none. The algorithm is that of the key and not of the header, which a forger writes (RFC 8725, section 3.1).
 */
export function readIdTokenHint(
  token: string,
  { issuer, audience, keys }: Expected,
): IdTokenHint | null {
  const [, head = '', body = '', signature = ''] =
    token.length > HINT_MAX_CHARACTERS ? [] : (JWT.exec(token) ?? [])
  const header = parsed(head)
  const key = keys.find(({ kid }) => kid === header?.kid)
  if (key === undefined) {
    return null
  }

  const publicKey = createPublicKey({ key: { kty: key.kty, n: key.n, e: key.e }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${body}`)
  if (!verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))) {
    return null
  }

  const claims = parsed(body)
  if (claims?.iss !== issuer || claims.aud !== audience) {
    return null
  }
  const { sub, sid } = claims
  return typeof sub === 'string' && typeof sid === 'string' ? { sub, sid } : null
}

function parsed(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
