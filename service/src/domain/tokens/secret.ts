import { createCipheriv, createDecipheriv, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretPrefix } from '@gatehouse-auth/contract'
import type { Keyring } from './keyring.ts'
import type { RandomBytes } from './random-text.ts'

/** A prefix and 256 random bits in base64url. Without a prefix: for cookies and URLs. */
export const mintSecret = (
  prefix: SecretPrefix | '',
  random: (bytes: number) => Uint8Array,
): string => prefix + Buffer.from(random(32)).toString('base64url')

const BASE64URL_256_BITS = /^[A-Za-z0-9_-]{43}$/

/** Whether a text may be 256 bits in base64url: a secret without its prefix, or a SHA-256 hash. Other text needs no query. */
export const is256Bits = (text: string): boolean => BASE64URL_256_BITS.test(text)

/** Compares in constant time, except for the lengths, which are not secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** version · kid · nonce, then the ciphertext, then the tag. */
const HEAD_BYTES = 1 + 1 + NONCE_BYTES

/**
 * Encrypts a text for one context, which is authenticated (AAD): sealed bytes that are moved to the row of another tenant
 * do not decrypt. Unlike a hash it can be read again; unlike a derived secret it can be deleted.
 */
export function seal(
  keyring: Keyring,
  context: string,
  text: string,
  random: RandomBytes,
): Uint8Array {
  const { kid } = keyring.current
  const key = keyring.derive(kid, PURPOSE)
  if (key === null) {
    throw new Error(`No master key ${kid}`)
  }
  const head = Buffer.concat([Buffer.from([VERSION, kid]), random(NONCE_BYTES)])
  const cipher = createCipheriv(CIPHER, key.secret, head.subarray(2), { authTagLength: TAG_BYTES })
  cipher.setAAD(aad(head, context))
  return new Uint8Array(
    Buffer.concat([head, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]),
  )
}

/** null if the bytes were altered, sealed for another context, or sealed with a master key that is not in the ring. */
export function unseal(keyring: Keyring, context: string, sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed)
  if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) {
    return null
  }
  const head = bytes.subarray(0, HEAD_BYTES)
  const key = keyring.derive(head.readUInt8(1), PURPOSE)
  if (key === null) {
    return null
  }
  const decipher = createDecipheriv(CIPHER, key.secret, head.subarray(2), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(aad(head, context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8')
  } catch {
    return null
  }
}

const PURPOSE = 'seal|v1'

/** The additional authenticated data: version, kid and context. */
const aad = (head: Uint8Array, context: string): Buffer =>
  Buffer.concat([head.subarray(0, 2), Buffer.from(context)])

/** Bytes that only the secret determines, in the place of random ones: the same secret gives the same bytes again. */
export function derivedBytes(secret: string, purpose: string): RandomBytes {
  let calls = 0
  return (count) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `gatehouse|${purpose}|${calls++}`, count))
}
