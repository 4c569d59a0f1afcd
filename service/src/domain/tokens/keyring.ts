import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

export const MASTER_KEY_BYTES = 32

/** A master key. Nothing is signed or hashed with it: each use derives its own key from it. */
export interface MasterKey {
  /** A small whole number, so that it fits one byte of a refresh token. */
  readonly kid: number
  readonly secret: Uint8Array
}

/** What a keyed hash is of. It is part of the input, so that a hash of one kind is never one of another. */
export type SecretKind =
  | 'management'
  | 'application'
  | 'edge-session'
  | 'browser'
  | 'account-session'
  | 'claim'
  | 'wait'
  | 'feedback'
  | 'idempotency'
  | 'client'
  | 'source'
  | 'guest'
  | 'oauth-approval'
  | 'oauth-code'
  | 'oauth-access'
  | 'oauth-refresh'

const DERIVED_KEYS_MAX = 20_000

/** The master keys, newest first, and what is made from them. */
export class Keyring {
  readonly current: MasterKey
  /** Newest first. */
  readonly kids: readonly number[]
  readonly #keys: readonly MasterKey[]
  readonly #derived = new Map<string, KeyObject>()

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
  derive(kid: number, purpose: string): KeyObject | null {
    const name = `${kid}|${purpose}`
    const known = this.#derived.get(name)
    if (known !== undefined) return known
    const master = this.#keys.find((key) => key.kid === kid)
    if (master === undefined) return null
    const key = createSecretKey(new Uint8Array(hkdfSync('sha256', master.secret, '', `gatehouse|${purpose}`, 32)))
    // Deriving costs three times a token check, so keys are remembered; clearing them all is rare and only costs time.
    if (this.#derived.size >= DERIVED_KEYS_MAX) this.#derived.clear()
    this.#derived.set(name, key)
    return key
  }

  /** The keyed hash a new secret is stored under. */
  hash(kind: SecretKind, secret: string): string {
    return this.#hashUnder(this.current.kid, kind, secret)
  }

  /** The hashes a secret may be stored under: one for each master key, newest first. */
  hashes(kind: SecretKind, secret: string): string[] {
    return this.#keys.map((key) => this.#hashUnder(key.kid, kind, secret))
  }

  /** A value made from a text, for what need not be stored because it can be made again. Under the current key unless told. */
  mac(purpose: string, text: string, kid = this.current.kid): string {
    return createHmac('sha256', this.#required(kid, purpose)).update(text).digest('base64url')
  }

  /** Recognises a master key without telling it: kept in the database, so that the wrong key file is noticed. */
  check(kid: number): string {
    return createHmac('sha256', this.#required(kid, 'check')).update('gatehouse').digest('base64url')
  }

  #hashUnder(kid: number, kind: SecretKind, secret: string): string {
    return createHmac('sha256', this.#required(kid, 'hash')).update(`${kind}\0${secret}`).digest('base64url')
  }

  #required(kid: number, purpose: string): KeyObject {
    const key = this.derive(kid, purpose)
    if (key === null) throw new Error(`No master key ${kid}`)
    return key
  }
}
