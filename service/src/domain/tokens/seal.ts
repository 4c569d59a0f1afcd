import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Keyring } from './keyring.ts'
import type { RandomBytes } from './uniform.ts'

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** version · kid · nonce, then the ciphertext, then the tag. */
const HEAD_BYTES = 1 + 1 + NONCE_BYTES

/**
 * A text that only this service can read, and only as what it was sealed for: the sealed bytes of one tenant, moved to
 * another's row, do not open. Unlike a hash it can be given back; unlike a derived secret it can be deleted.
 */
export function seal(keyring: Keyring, about: string, text: string, random: RandomBytes): Uint8Array {
  const { kid } = keyring.current
  const key = keyring.derive(kid, PURPOSE)
  if (key === null) throw new Error(`No master key ${kid}`)
  const head = Buffer.concat([Buffer.from([VERSION, kid]), random(NONCE_BYTES)])
  const cipher = createCipheriv(CIPHER, key, head.subarray(2), { authTagLength: TAG_BYTES })
  cipher.setAAD(bound(head, about))
  return new Uint8Array(Buffer.concat([head, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]))
}

/** null for anything we did not seal for this: altered, another's, or under a key that is lost. */
export function unseal(keyring: Keyring, about: string, sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed)
  if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) return null
  const head = bytes.subarray(0, HEAD_BYTES)
  const key = keyring.derive(head.readUInt8(1), PURPOSE)
  if (key === null) return null
  const decipher = createDecipheriv(CIPHER, key, head.subarray(2), { authTagLength: TAG_BYTES })
  decipher.setAAD(bound(head, about))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const PURPOSE = 'seal|v1'

/** What the tag covers beside the text: version and kid, and what the text is about. */
const bound = (head: Uint8Array, about: string): Buffer => Buffer.concat([head.subarray(0, 2), Buffer.from(about)])
