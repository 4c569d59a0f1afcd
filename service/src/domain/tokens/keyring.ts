import { hkdfSync } from 'node:crypto'
import { DerivedKey } from './derived-key.ts'

export const MASTER_KEY_BYTES = 32

/** Used only to derive keys, one for each purpose. */
export interface MasterKey {
  /** From 1 to 255, one byte in a refresh token. */
  readonly kid: number
  readonly secret: Uint8Array
}

/** The kind of a hashed secret. Part of the hash input, so that hashes of different kinds never match. */
export type SecretKind =
  | 'management'
  | 'application'
  | 'edge-session'
  | 'login-code'
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

const DERIVED_KEYS_MAX = 20_000

/** The master keys, and the keys, hashes and MACs derived from them. */
export class Keyring {
  readonly current: MasterKey
  /** Newest first. */
  readonly kids: readonly number[]
  readonly #keys: readonly MasterKey[]
  readonly #derived = new Map<string, DerivedKey>()

  constructor(keys: readonly MasterKey[]) {
    const [current] = keys
    if (current === undefined) throw new Error('A key ring needs at least one key')
    this.current = current
    this.#keys = keys
    this.kids = keys.map((key) => key.kid)
  }

  has(kid: number): boolean {
    return this.#keys.some((key) => key.kid === kid)
  }

  /** The key for one purpose under one master key; null when the ring does not have that master key. */
  derive(kid: number, purpose: string): DerivedKey | null {
    const name = `${kid}|${purpose}`
    const known = this.#derived.get(name)
    if (known !== undefined) return known
    const master = this.#keys.find((key) => key.kid === kid)
    if (master === undefined) return null
    const key = new DerivedKey(new Uint8Array(hkdfSync('sha256', master.secret, '', `gatehouse|${purpose}`, 32)))
    // Cached, because a derivation costs three times as much as verifying a token. Clearing the cache only costs time.
    if (this.#derived.size >= DERIVED_KEYS_MAX) this.#derived.clear()
    this.#derived.set(name, key)
    return key
  }

  /** The keyed hash under the current key, to store a new secret. */
  hash(kind: SecretKind, secret: string): string {
    return this.#hashUnder(this.current.kid, kind, secret)
  }

  /** The hashes that a secret may be stored as: one for each master key, newest first. */
  hashes(kind: SecretKind, secret: string): string[] {
    return this.#keys.map((key) => this.#hashUnder(key.kid, kind, secret))
  }

  /** An HMAC of a text. For values that are derived again instead of stored. */
  mac(purpose: string, text: string, kid = this.current.kid): string {
    return this.#required(kid, purpose).mac(text)
  }

  /** A value that identifies a master key without revealing it. Stored, to detect a wrong key file. */
  check(kid: number): string {
    return this.#required(kid, 'check').mac('gatehouse')
  }

  #hashUnder(kid: number, kind: SecretKind, secret: string): string {
    return this.#required(kid, 'hash').mac(`${kind}\0${secret}`)
  }

  #required(kid: number, purpose: string): DerivedKey {
    const key = this.derive(kid, purpose)
    if (key === null) throw new Error(`No master key ${kid}`)
    return key
  }
}
