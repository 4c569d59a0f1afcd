import type { TenantId } from '../../domain/ids.ts'
import {
  generateRsaKey,
  type RsaPublicKey,
  type SigningKey,
  type StoredSigningKey,
  sealSigningKey,
  unsealSigningKey,
} from '../../domain/issuer/signing-key.ts'
import type { Stores } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import { publishedKids, signingKid } from '../../domain/tokens/id-token.ts'
import type { Keyring } from '../../domain/tokens/keyring.ts'
import type { RandomBytes } from '../../domain/tokens/random-text.ts'
import { Limiter } from '../limits/limiter.ts'

/** Much shorter than the hour between the publication of a key and its first signature. */
const CACHE_MS = 60_000
const CACHED_MAX = 5_000
/** A key takes a thread some 100 ms; Node has four threads, and files and names need them too. */
const MADE_AT_ONCE = 2

interface CachedKeys {
  readonly keys: readonly StoredSigningKey[]
  readonly until: Instant
}

interface SigningKeysOptions {
  readonly stores: Pick<Stores, 'signingKeys'>
  readonly keyring: Keyring
  readonly random: RandomBytes
  readonly now: () => Instant
}

/** The RSA keys of tenants (decision 70). Makes a key at its first use, and after a change of the master key. */
export class SigningKeys {
  readonly #options: SigningKeysOptions
  readonly #cache = new Map<TenantId, CachedKeys>()
  /** Tenants whose keys are being read or made: concurrent calls share it. */
  readonly #pending = new Map<TenantId, Promise<readonly StoredSigningKey[]>>()
  /** By `kid`. */
  readonly #unsealed = new Map<string, SigningKey>()
  readonly #making = new Limiter(MADE_AT_ONCE)

  constructor(options: SigningKeysOptions) {
    this.#options = options
  }

  /** What JWKS publishes: the keys that sign, that will sign within an hour, or that signed an hour ago. */
  async published(tenantId: TenantId): Promise<RsaPublicKey[]> {
    const keys = await this.#keys(tenantId)
    const kids = publishedKids(keys.map(aged), this.#options.now())
    return keys.filter(({ masterKid }) => kids.includes(masterKid)).map((key) => key.publicKey)
  }

  /** Every key that the tenant has had under the master keys of today: an old ID token still names its session at a logout. */
  async all(tenantId: TenantId): Promise<RsaPublicKey[]> {
    const keys = await this.#keys(tenantId)
    return keys.map((key) => key.publicKey)
  }

  /** The key that signs now. */
  async current(tenantId: TenantId): Promise<SigningKey> {
    const { keyring, now } = this.#options
    const stored = await this.#keys(tenantId)
    // Another instance may already have a master key that this one gets at its next start.
    const known = stored.filter(({ masterKid }) => keyring.has(masterKid))
    const kid = signingKid(known.map(aged), now())

    const key = known.find(({ masterKid }) => masterKid === kid)
    if (key === undefined) {
      throw new Error('a tenant has no signing key')
    }
    return this.#unseal(key)
  }

  #unseal(key: StoredSigningKey): SigningKey {
    const known = this.#unsealed.get(key.publicKey.kid)
    if (known !== undefined) {
      return known
    }

    const privateKey = unsealSigningKey(this.#options.keyring, key)
    if (privateKey === null) {
      throw new Error('the sealed signing key of a tenant does not open')
    }
    if (this.#unsealed.size >= CACHED_MAX) {
      this.#unsealed.clear()
    }
    const unsealed = { publicKey: key.publicKey, privateKey }
    this.#unsealed.set(key.publicKey.kid, unsealed)
    return unsealed
  }

  async #keys(tenantId: TenantId): Promise<readonly StoredSigningKey[]> {
    const cached = this.#cache.get(tenantId)
    if (cached !== undefined && cached.until > this.#options.now()) {
      return cached.keys
    }
    const pending = this.#pending.get(tenantId)
    if (pending !== undefined) {
      return pending
    }

    const reading = this.#readOrMake(tenantId)
    this.#pending.set(tenantId, reading)
    try {
      const keys = await reading
      this.#store(tenantId, keys)
      return keys
    } finally {
      this.#pending.delete(tenantId)
    }
  }

  #store(tenantId: TenantId, keys: readonly StoredSigningKey[]): void {
    if (this.#cache.size >= CACHED_MAX) {
      this.#cache.clear()
    }
    this.#cache.set(tenantId, { keys, until: this.#options.now() + CACHE_MS })
  }

  async #readOrMake(tenantId: TenantId): Promise<readonly StoredSigningKey[]> {
    const { stores, keyring } = this.#options
    const keys = await stores.signingKeys.list(tenantId)
    if (keys.some(({ masterKid }) => masterKid === keyring.current.kid)) {
      return keys
    }

    await stores.signingKeys.add(await this.#make(tenantId))
    // Not the key that was made: another instance may have added one first.
    return stores.signingKeys.list(tenantId)
  }

  async #make(tenantId: TenantId): Promise<StoredSigningKey> {
    const { keyring, random, now } = this.#options
    const pair = await this.#making.run(generateRsaKey)
    return sealSigningKey(keyring, tenantId, pair, { random, now: now() })
  }
}

const aged = ({ masterKid, createdAt }: StoredSigningKey) => ({
  kid: masterKid,
  addedAt: createdAt,
})
