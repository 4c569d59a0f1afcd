import { createECDH, createPrivateKey, hash, type KeyObject, sign } from 'node:crypto'
import {
  type Claims,
  ID_TOKEN_SECONDS,
  type OutputOf,
  type readJwks,
} from '@gatehouse-auth/contract'
import type { SessionId, TenantId, UserId } from '../ids.ts'
import { MinuteCounts } from '../limits/counter.ts'
import type { Instant } from '../time.ts'
import type { AccessTokenClaims } from './access-token.ts'
import type { Keyring, MasterKey } from './keyring.ts'

type PublicKey = Extract<OutputOf<typeof readJwks>['keys'][number], { kty: 'EC' }>

interface IdTokenKey {
  readonly publicKey: PublicKey
  readonly privateKey: KeyObject
}

/** What an ID token says of its user and session. */
interface IdTokenInput {
  readonly issuer: string
  readonly audience: string
  readonly accessToken: AccessTokenClaims
  readonly signedInAt: Instant
  /** The owner's for all users, then the user's own, which win. */
  readonly claims: readonly Claims[]
}

/**
 * Names a user in ID tokens. Ids start at 1 in every tenant, and libraries identify people by the provider's name and `sub`
 * alone. Without the tenant, the first user of an app's new tenant would be signed in as the first user of the old one.
 */
export const subjectOf = (tenantId: TenantId, userId: UserId): string => `${tenantId}|${userId}`

/** Those of every ID token, besides what the owner adds. */
export const ID_TOKEN_CLAIMS =
  'iss sub aud iat exp auth_time email email_verified name picture sid'.split(' ')

export interface IssuedIdToken {
  readonly token: string
  /** In seconds. */
  readonly exp: number
}

/** A token is returned again until it is valid for less than this. */
const REUSED_UNTIL_SECONDS = 60
const KEYS_CACHED_MAX = 5_000
/** Some 20 MB. Clearing the cache costs a signature each. */
const ISSUED_MAX = 20_000

/** Signs ID tokens with keys derived from the master keys (decision 67), and keeps issued ones by session and audience. */
export class IdTokens {
  readonly #keyring: Keyring
  readonly #keys = new Map<string, IdTokenKey>()
  /** How many tokens each session has requested in this minute. */
  readonly requests = new MinuteCounts<SessionId>()
  readonly #issued = new Map<string, IssuedIdToken>()

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  /** The tenant's public keys: all that sign, that signed an hour ago, or that will sign. */
  publicKeys(tenantId: TenantId, now: Instant): PublicKey[] {
    return publishedKids(this.#keyring.keys, now).map((kid) => this.#key(kid, tenantId).publicKey)
  }

  find({ sid }: AccessTokenClaims, audience: string, now: Instant): IssuedIdToken | undefined {
    const issued = this.#issued.get(`${sid} ${audience}`)
    if (issued === undefined || now >= (issued.exp - REUSED_UNTIL_SECONDS) * 1_000) {
      return undefined
    }
    return issued
  }

  issue(input: IdTokenInput, now: Instant): IssuedIdToken {
    const issued = this.#sign(input, now)
    if (this.#issued.size >= ISSUED_MAX) {
      this.#issued.clear()
    }
    this.#issued.set(`${input.accessToken.sid} ${input.audience}`, issued)
    return issued
  }

  #sign(input: IdTokenInput, now: Instant): IssuedIdToken {
    const { tenant_id: tenantId, exp: accessTokenEnd } = input.accessToken
    const { publicKey, privateKey } = this.#key(signingKid(this.#keyring.keys, now), tenantId)
    const iat = Math.floor(now / 1_000)
    const exp = Math.min(iat + ID_TOKEN_SECONDS, accessTokenEnd)

    const header = { alg: 'ES256', kid: publicKey.kid, typ: 'JWT' }
    const signed = signedPart(header, { ...this.claims(input), iat, exp })
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
    return { token: `${signed}.${signature}`, exp }
  }

  /** Every claim but the times of the token itself. */
  claims({ issuer, audience, accessToken, signedInAt, claims }: IdTokenInput) {
    const { tenant_id: tenantId, id, email, name, picture, sid } = accessToken
    const added: Claims = Object.assign({}, ...claims)
    return {
      ...added,
      iss: issuer,
      sub: subjectOf(tenantId, id),
      aud: audience,
      auth_time: Math.floor(signedInAt / 1_000),
      email,
      // No other address is ever stored (domain/login/profile.ts).
      email_verified: true,
      ...(name === null ? {} : { name }),
      ...(picture === null ? {} : { picture }),
      sid: this.sessionName(tenantId, sid),
    }
  }

  /** `sid`. Session ids count over all tenants, so they would tell how many sign-ins there are. */
  sessionName(tenantId: TenantId, sessionId: SessionId): string {
    const oldestKid = Math.min(...this.#keyring.kids)
    return this.#keyring.mac('id-token|sid', `${tenantId}|${sessionId}`, oldestKid)
  }

  #key(kid: number, tenantId: TenantId): IdTokenKey {
    const name = `${kid}|${tenantId}`
    const cached = this.#keys.get(name)
    if (cached !== undefined) {
      return cached
    }
    const key = deriveIdTokenKey(this.#keyring, kid, tenantId)
    if (this.#keys.size >= KEYS_CACHED_MAX) {
      this.#keys.clear()
    }
    this.#keys.set(name, key)
    return key
  }
}

/** What the signature of a JWT covers (RFC 7515, section 5.1). */
export const signedPart = (header: object, payload: object): string =>
  `${encoded(header)}.${encoded(payload)}`

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** One key per tenant: a verifier that checks nothing but the signature accepts no token of another tenant. */
export function deriveIdTokenKey(
  keyring: Keyring,
  masterKid: number,
  tenantId: TenantId,
): IdTokenKey {
  const scalar = p256Scalar((attempt) => {
    const candidate = keyring.derive(masterKid, 'id-token|v1', `${tenantId}|${attempt}`)
    if (candidate === null) {
      throw new Error(`No master key ${masterKid}`)
    }
    return candidate.secret
  })
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  const jwk = { crv: 'P-256', kty: 'EC', x, y } as const
  // RFC 7638: these members, in this order.
  const kid = hash('sha256', JSON.stringify(jwk), 'base64url')
  const d = Buffer.from(scalar).toString('base64url')
  return {
    publicKey: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    privateKey: createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }),
  }
}

/** The order of the group of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3). */
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

/**
 * The first candidate in [1, n - 1]. Rejection keeps keys uniform, which a reduction modulo n would not (FIPS 186-5,
 * A.2.2). One in 2³² candidates is rejected.
 */
export function p256Scalar(candidate: (attempt: number) => Uint8Array): Uint8Array {
  for (let attempt = 0; ; attempt++) {
    const bytes = candidate(attempt)
    if (Buffer.compare(bytes, ORDER) < 0 && bytes.some((byte) => byte !== 0)) {
      return bytes
    }
  }
}

/** A verifier may read the keys this late. */
const OVERLAP_MS = 3_600_000

type AddedKey = Pick<MasterKey, 'kid' | 'addedAt'>

/** By the time that the database has, which is the same on every instance; not by their order in the key file. */
const byAge = (keys: readonly AddedKey[]): AddedKey[] =>
  keys.toSorted((one, other) => addedAt(one) - addedAt(other) || one.kid - other.kid)

const addedAt = (key: AddedKey): Instant => key.addedAt ?? 0

/** The newest key that has been published for an hour; the first key of a database at once. */
export function signingKid(keys: readonly AddedKey[], now: Instant): number {
  const signing = byAge(keys).findLast((key, at) => at === 0 || now >= addedAt(key) + OVERLAP_MS)
  if (signing === undefined) {
    throw new Error('A key ring needs at least one key')
  }
  return signing.kid
}

/** Newer keys that do not sign yet, the signing one, and older ones until an hour after the next one began to sign. */
export function publishedKids(keys: readonly AddedKey[], now: Instant): number[] {
  const published = byAge(keys).filter((_key, at, all) => {
    const next = all[at + 1]
    return next === undefined || now < addedAt(next) + 2 * OVERLAP_MS
  })
  return published.map(({ kid }) => kid)
}
