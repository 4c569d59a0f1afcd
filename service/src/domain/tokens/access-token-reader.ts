import type { VerifiedUser } from '@gatehouse-auth/contract'
import type { TenantId } from '../ids.ts'
import { isTenantId } from '../tenants/tenant-id.ts'
import { type AccessTokenClaims, readAccessToken } from './access-token.ts'
import type { Keyring } from './keyring.ts'

/** Tokens in each of the two maps: together some 40 MB with long tokens. */
const GENERATION_MAX = 20_000

export interface ReadToken {
  readonly token: string
  readonly claims: AccessTokenClaims
  readonly user: VerifiedUser
}

/**
 * Verifies the signature of access tokens and caches authentic ones. Only what cannot change is cached: the signature and
 * the claims. Expiry, revocation and the status of the tenant are checked on every call.
 *
 * A token is cached when it is read the second time, so that tokens that are read once evict nothing. The cache is two
 * maps: when the newer one is full it becomes the older one, and the older one is dropped. Reading needs no list
 * maintenance, and tokens in use stay cached as with LRU.
 */
export class AccessTokenReader {
  readonly #keyring: Keyring
  readonly #issuer: string
  readonly #generationMax: number
  readonly #readOnce = new RecentSet()
  #newer = new Map<number, ReadToken>()
  #older = new Map<number, ReadToken>()

  constructor(keyring: Keyring, issuer: string, generationMax = GENERATION_MAX) {
    this.#keyring = keyring
    this.#issuer = issuer
    this.#generationMax = generationMax
  }

  get cached(): number {
    return this.#newer.size + this.#older.size
  }

  /** null: not issued for this tenant. */
  read(tenantId: TenantId, token: string): ReadToken | null {
    // A hit counts only if the whole token and the tenant are equal.
    const key = cacheKey(token)
    const cached = this.#newer.get(key) ?? this.#fromOlder(key)
    if (cached?.token === token) {
      return cached.claims.tenant_id === tenantId ? cached : null
    }
    // Before deriving a key: HKDF accepts at most 1,024 bytes of info.
    if (!isTenantId(tenantId)) {
      return null
    }
    const claims = readAccessToken(this.#keyring, this.#issuer, tenantId, token)
    if (claims === null) {
      return null
    }
    const { id, email, name, picture } = claims
    const read: ReadToken = { token, claims, user: { id, email, name, picture } }
    // The signature is valid, so an attacker without the key cannot choose its bits.
    if (this.#readOnce.add(key >>> 0)) {
      this.#store(key, read)
    }
    return read
  }

  #fromOlder(key: number): ReadToken | undefined {
    const cached = this.#older.get(key)
    if (cached === undefined) {
      return undefined
    }
    this.#older.delete(key)
    this.#store(key, cached)
    return cached
  }

  #store(key: number, read: ReadToken): void {
    if (this.#newer.size >= this.#generationMax) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, read)
  }
}

/** Characters of the signature at the end of a token: 60 bits, of which the key keeps 32. */
const KEY_CHARACTERS = 10

/** A number is found faster than a text. Two tokens with the same key replace each other in the cache. */
function cacheKey(token: string): number {
  // The last character has unused bits, which a forger could change.
  const end = token.length - 1
  let key = 0
  for (let at = end - KEY_CHARACTERS; at < end; at++) {
    key = (Math.imul(key, 31) + token.charCodeAt(at)) | 0
  }
  return key
}

/** With eight slots of four bytes: 256 KiB. */
const BUCKETS = 8_192
/** Adjacent, so that a bucket fits one cache line. */
const SLOTS = 8

/**
 * A fixed-size set of 32-bit values that forgets: each bucket keeps its last eight values. With one slot per bucket, two
 * alternating values in the same bucket would evict each other every time.
 */
class RecentSet {
  readonly #slots = new Uint32Array(BUCKETS * SLOTS)

  /** Adds a value and returns whether it was present. */
  add(value: number): boolean {
    const first = (value % BUCKETS) * SLOTS
    for (let slot = first; slot < first + SLOTS; slot++) {
      if (this.#slots[slot] === value) {
        return true
      }
    }
    this.#slots.copyWithin(first + 1, first, first + SLOTS - 1)
    this.#slots[first] = value
    return false
  }
}
