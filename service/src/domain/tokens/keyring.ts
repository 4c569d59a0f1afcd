import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Instant } from '../time.ts'

export const MASTER_KEY_BYTES = 32

/** Used only to derive keys, one for each purpose. */
export interface MasterKey {
  /** From 1 to 255, one byte in a refresh token. */
  readonly kid: number
  readonly secret: Uint8Array
  /** When an instance first started with it on this database. */
  readonly addedAt?: Instant
}

/** The kind of a hashed secret. Part of the hash input, so that hashes of different kinds never match. */
type SecretKind =
  | 'management'
  | 'application'
  | 'edge-session'
  | 'login-code'
  | 'invitation'
  | 'browser'
  | 'account-session'
  | 'me-session'
  | 'claim'
  | 'wait'
  | 'feedback'
  | 'idempotency'
  | 'source'
  | 'guest'
  | 'decision'
  | 'oauth-approval'
  | 'oauth-code'
  | 'oauth-access'
  | 'oauth-refresh'

/** For each purpose. */
const DERIVED_KEYS_MAX = 20_000

/** The master keys, and the keys, hashes and MACs derived from them. */
export class Keyring {
  readonly current: MasterKey
  /** Newest first. */
  readonly kids: readonly number[]
  readonly keys: readonly MasterKey[]
  /** By master key, purpose and subject. */
  readonly #derived = new Map<number, Map<string, Map<string, DerivedKey>>>()

  constructor(keys: readonly MasterKey[]) {
    const [current] = keys
    if (current === undefined) {
      throw new Error('A key ring needs at least one key')
    }
    this.current = current
    this.keys = keys
    this.kids = keys.map((key) => key.kid)
  }

  has(kid: number): boolean {
    return this.keys.some((key) => key.kid === kid)
  }

  /**
   * The key for one purpose under one master key, and for one subject, such as a tenant; null when the ring does not have
   * that master key.
   */
  derive(kid: number, purpose: string, subject = ''): DerivedKey | null {
    const derived = this.#derivedFor(kid, purpose)
    const known = derived.get(subject)
    if (known !== undefined) {
      return known
    }
    const master = this.keys.find((key) => key.kid === kid)
    if (master === undefined) {
      return null
    }
    const info = `gatehouse|${purpose}${subject === '' ? '' : `|${subject}`}`
    const key = new DerivedKey(
      new Uint8Array(hkdfSync('sha256', createSecretKey(master.secret), '', info, 32)),
    )
    // Cached, because a derivation costs three times as much as verifying a token. Clearing the cache only costs time.
    if (derived.size >= DERIVED_KEYS_MAX) {
      derived.clear()
    }
    derived.set(subject, key)
    return key
  }

  /** The keyed hash under the current key, to store a new secret. */
  hash(kind: SecretKind, secret: string): string {
    return this.#hashUnder(this.current.kid, kind, secret)
  }

  /** The hashes that a secret may be stored as: one for each master key, newest first. */
  hashes(kind: SecretKind, secret: string): string[] {
    return this.keys.map((key) => this.#hashUnder(key.kid, kind, secret))
  }

  /** An HMAC of a text. For values that are derived again instead of stored. */
  mac(purpose: string, text: string, kid = this.current.kid): string {
    return this.#required(kid, purpose).mac(text)
  }

  /** A value that identifies a master key without revealing it. Stored, to detect a wrong key file. */
  check(kid: number): string {
    return this.#required(kid, 'check').mac('gatehouse')
  }

  /** A map for each level, because building one name of all three costs as much as a hash. */
  #derivedFor(kid: number, purpose: string): Map<string, DerivedKey> {
    const purposes = this.#derived.get(kid) ?? new Map<string, Map<string, DerivedKey>>()
    this.#derived.set(kid, purposes)
    const keys = purposes.get(purpose) ?? new Map<string, DerivedKey>()
    purposes.set(purpose, keys)
    return keys
  }

  #hashUnder(kid: number, kind: SecretKind, secret: string): string {
    return this.#required(kid, 'hash').mac(`${kind}\0${secret}`)
  }

  #required(kid: number, purpose: string): DerivedKey {
    const key = this.derive(kid, purpose)
    if (key === null) {
      throw new Error(`No master key ${kid}`)
    }
    return key
  }
}

/** A key for one purpose, whose MAC is HMAC-SHA-256. */
export class DerivedKey {
  readonly secret: Uint8Array
  /** With the bytes of a key, `createHmac` of Node 24 takes five times as long as with an object of it. */
  readonly #hmacKey: KeyObject

  constructor(secret: Uint8Array) {
    this.secret = secret
    this.#hmacKey = createSecretKey(secret)
  }

  /** The MAC of a text in base64url. */
  mac(text: string): string {
    return createHmac('sha256', this.#hmacKey).update(text).digest('base64url')
  }

  /** The MAC of a text and the bytes after it. */
  macOf(text: string, bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#hmacKey).update(text).update(bytes).digest()
  }
}
