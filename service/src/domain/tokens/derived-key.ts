import { createHmac, hash } from 'node:crypto'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
const BYTES_PER_CHARACTER_MAX = 3

/**
 * The input of the inner hash: the padded key, then the message. Nothing interrupts a call, so all keys share it. What is
 * hashed often fits; a longer message takes Node's own HMAC.
 */
const input = Buffer.alloc(BLOCK_BYTES + 12_288)

/** Views of the start of `input`, by their length: creating one costs as much as hashing a block. */
const views: Buffer[] = []
const VIEW_BYTES_MAX = 2_048

function inputOf(bytes: number): Buffer {
  if (bytes > VIEW_BYTES_MAX) return input.subarray(0, bytes)
  views[bytes] ??= input.subarray(0, bytes)
  return views[bytes]
}

/**
 * A key for one purpose. Its HMAC-SHA-256 (RFC 2104) is two one-shot hashes, which together cost less than `createHmac`,
 * because no object is created for each call (docs/hot-path.md).
 */
export class DerivedKey {
  /** 32 bytes. */
  readonly secret: Uint8Array
  readonly #innerPad = Buffer.alloc(BLOCK_BYTES, 0x36)
  /** The padded key, then the digest of the inner hash. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c)

  constructor(secret: Uint8Array) {
    if (secret.length > BLOCK_BYTES) throw new Error('a longer key would have to be hashed first')
    this.secret = secret
    for (const [at, byte] of secret.entries()) {
      this.#innerPad[at] = 0x36 ^ byte
      this.#outer[at] = 0x5c ^ byte
    }
  }

  /** The MAC of a text in base64url. */
  mac(text: string): string {
    if (!fits(text, 0)) return createHmac('sha256', this.secret).update(text).digest('base64url')
    this.#hashInner(input.write(text, BLOCK_BYTES))
    return hash('sha256', this.#outer, 'base64url')
  }

  /** The MAC of a text and the bytes after it. */
  macOf(text: string, bytes: Uint8Array): Buffer {
    if (!fits(text, bytes.length)) return createHmac('sha256', this.secret).update(text).update(bytes).digest()
    const length = input.write(text, BLOCK_BYTES)
    input.set(bytes, BLOCK_BYTES + length)
    this.#hashInner(length + bytes.length)
    return hash('sha256', this.#outer, 'buffer')
  }

  /** Hashes the message in `input`, and puts the digest where the outer hash reads it. */
  #hashInner(length: number): void {
    input.set(this.#innerPad)
    const digest = hash('sha256', inputOf(BLOCK_BYTES + length), 'latin1')
    this.#outer.write(digest, BLOCK_BYTES, 'latin1')
  }
}

const fits = (text: string, bytes: number): boolean =>
  BLOCK_BYTES + BYTES_PER_CHARACTER_MAX * text.length + bytes <= input.length
