import { timingSafeEqual } from 'node:crypto'
import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { SessionId, TenantId } from '../ids.ts'
import type { Keyring } from './keyring.ts'

const PREFIX = SECRET_PREFIXES.refreshToken
export const SALT_BYTES = 12
const MAC_BYTES = 20
/** version · kid · session (6) · generation (4) · salt, followed by a MAC over these and the tenant id. */
const BODY_BYTES = 1 + 1 + 6 + 4 + SALT_BYTES
/** The last character has two unused bits, which are 0 in the only encoding that is accepted. */
const TOKEN_PATTERN = new RegExp(
  `^${PREFIX}[A-Za-z0-9_-]{${Math.floor(((BODY_BYTES + MAC_BYTES) * 4) / 3)}}[AEIMQUYcgkosw048]$`,
)
const VERSION = 1

/** The contents of a refresh token. Tokens are not stored: they are derived from the session. */
export interface RefreshTokenFields {
  readonly sessionId: SessionId
  readonly generation: number
  /**
   * Compared with the session's row. The MAC rejects invalid tokens without a query; the salt stops a forger who has the
   * key but not the database; the key stops one who has the database.
   */
  readonly salt: Uint8Array
}

export function mintRefreshToken(
  keyring: Keyring,
  tenantId: TenantId,
  fields: RefreshTokenFields,
): string {
  const { kid } = keyring.current
  const body = Buffer.alloc(BODY_BYTES)
  body.writeUInt8(VERSION, 0)
  body.writeUInt8(kid, 1)
  body.writeUIntBE(fields.sessionId, 2, 6)
  body.writeUInt32BE(fields.generation, 8)
  body.set(fields.salt, 12)
  const mac = macOf(keyring, kid, tenantId, body)
  if (mac === null) {
    throw new Error(`No master key ${kid}`)
  }
  return PREFIX + Buffer.concat([body, mac]).toString('base64url')
}

/** null unless the token is authentic, for this tenant, and its master key is in the ring. */
export function readRefreshToken(
  keyring: Keyring,
  tenantId: TenantId,
  token: string,
): RefreshTokenFields | null {
  if (!TOKEN_PATTERN.test(token)) {
    return null
  }
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  const body = bytes.subarray(0, BODY_BYTES)
  const expected = macOf(keyring, body.readUInt8(1), tenantId, body)
  const given = bytes.subarray(BODY_BYTES)
  if (expected === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return null
  }
  if (body.readUInt8(0) !== VERSION) {
    return null
  }
  return {
    sessionId: body.readUIntBE(2, 6),
    generation: body.readUInt32BE(8),
    salt: new Uint8Array(body.subarray(12)),
  }
}

function macOf(keyring: Keyring, kid: number, tenantId: TenantId, body: Uint8Array): Buffer | null {
  const key = keyring.derive(kid, 'refresh-token|v1')
  return key === null ? null : key.macOf(`${tenantId}\0`, body).subarray(0, MAC_BYTES)
}
