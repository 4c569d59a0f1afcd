import type { VerifiedUser } from '@gatehouse/contract'
import type { TenantId } from '../ids.ts'
import { isTenantId } from '../tenants/tenant-id.ts'
import { type AccessTokenClaims, readAccessToken } from './access-token.ts'
import type { Keyring } from './keyring.ts'
import { RecentSet } from './recent-set.ts'

/** Of each of the two generations: together some 40 MB when full of long tokens. */
const GENERATION_MAX = 20_000
/** Of HS256, in base64url. */
const SIGNATURE_CHARACTERS = 43

export interface PreparedResponse {
  readonly text: string
  /** Plain characters need no translation into bytes. */
  readonly encoding: 'latin1' | 'utf8'
  /** Its length, as a header says it. */
  readonly bytes: string
}

export interface ReadToken {
  readonly token: string
  readonly claims: AccessTokenClaims
  readonly user: VerifiedUser
  /** For whoever answers: what they made of the user, kept for as long as the token is remembered. */
  response?: PreparedResponse
}

/**
 * Reads access tokens, and remembers the ones it has just found to be ours. What is remembered is only what can never
 * change, that the signature fits and what it covers; whether the token is in date, revoked, or of a tenant that is
 * paused or gone is asked anew on every call.
 *
 * A token is remembered when it comes a second time, so that those that come once, however many, push nobody out.
 * Two plain maps: the newer is filled, and when it is full it becomes the older and the older is dropped. That needs no
 * order to be kept while reading, and keeps what is in use as well as a true least-recently-used list would.
 */
export class AccessTokenReader {
  readonly #keyring: Keyring
  readonly #issuer: string
  readonly #generationMax: number
  readonly #once = new RecentSet()
  #newer = new Map<string, ReadToken>()
  #older = new Map<string, ReadToken>()

  constructor(keyring: Keyring, issuer: string, generationMax = GENERATION_MAX) {
    this.#keyring = keyring
    this.#issuer = issuer
    this.#generationMax = generationMax
  }

  get remembered(): number {
    return this.#newer.size + this.#older.size
  }

  /** null: nothing that we issued for this tenant. */
  read(tenantId: TenantId, token: string): ReadToken | null {
    // Found by the signature, which is short; believed only if the whole of it is the same, and for its own tenant.
    const signature = token.slice(-SIGNATURE_CHARACTERS)
    const known = this.#newer.get(signature) ?? this.#fromOlder(signature)
    if (known?.token === token) return known.claims.tenant_id === tenantId ? known : null
    // Before a key is derived for it: a key derivation takes at most 1,024 bytes of context.
    if (!isTenantId(tenantId)) return null
    const claims = readAccessToken(this.#keyring, this.#issuer, tenantId, token)
    if (claims === null) return null
    const { id, email, name, picture } = claims
    const read: ReadToken = { token, claims, user: { id, email, name, picture } }
    if (this.#isSecondTime(signature)) this.#remember(signature, read)
    return read
  }

  #isSecondTime(signature: string): boolean {
    // Of a signature that fits: nobody can choose these bits without the key.
    return this.#once.note(Buffer.from(signature.slice(0, 6), 'base64url').readUInt32BE())
  }

  #fromOlder(signature: string): ReadToken | undefined {
    const known = this.#older.get(signature)
    if (known === undefined) return undefined
    this.#older.delete(signature)
    this.#remember(signature, known)
    return known
  }

  #remember(signature: string, read: ReadToken): void {
    if (this.#newer.size >= this.#generationMax) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(signature, read)
  }
}
