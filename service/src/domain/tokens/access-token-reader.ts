import type { VerifiedUser } from '@gatehouse/contract'
import type { TenantId } from '../ids.ts'
import { isTenantId } from '../tenants/tenant-id.ts'
import { type AccessTokenClaims, readAccessToken } from './access-token.ts'
import type { Keyring } from './keyring.ts'
import { RecentSet } from './recent-set.ts'

/** Tokens in each of the two maps: together some 40 MB with long tokens. */
const GENERATION_MAX = 20_000
/** An HS256 signature in base64url. */
const SIGNATURE_CHARACTERS = 43

export interface PreparedResponse {
  readonly text: string
  /** latin1 for ASCII text, which is faster to write. */
  readonly encoding: 'latin1' | 'utf8'
  /** The Content-Length header. */
  readonly bytes: string
}

export interface ReadToken {
  readonly token: string
  readonly claims: AccessTokenClaims
  readonly user: VerifiedUser
  /** The serialized response of verify, cached with the token. */
  response?: PreparedResponse
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
  #newer = new Map<string, ReadToken>()
  #older = new Map<string, ReadToken>()

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
    // The signature is the cache key, because it is short; a hit counts only if the whole token and the tenant are equal.
    const signature = token.slice(-SIGNATURE_CHARACTERS)
    const cached = this.#newer.get(signature) ?? this.#fromOlder(signature)
    if (cached?.token === token) return cached.claims.tenant_id === tenantId ? cached : null
    // Before deriving a key: HKDF accepts at most 1,024 bytes of info.
    if (!isTenantId(tenantId)) return null
    const claims = readAccessToken(this.#keyring, this.#issuer, tenantId, token)
    if (claims === null) return null
    const { id, email, name, picture } = claims
    const read: ReadToken = { token, claims, user: { id, email, name, picture } }
    if (this.#isSecondTime(signature)) this.#store(signature, read)
    return read
  }

  #isSecondTime(signature: string): boolean {
    // The signature is valid, so an attacker without the key cannot choose these bits.
    return this.#readOnce.add(Buffer.from(signature.slice(0, 6), 'base64url').readUInt32BE())
  }

  #fromOlder(signature: string): ReadToken | undefined {
    const cached = this.#older.get(signature)
    if (cached === undefined) return undefined
    this.#older.delete(signature)
    this.#store(signature, cached)
    return cached
  }

  #store(signature: string, read: ReadToken): void {
    if (this.#newer.size >= this.#generationMax) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(signature, read)
  }
}
