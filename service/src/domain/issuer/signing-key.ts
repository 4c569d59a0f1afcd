import { createPrivateKey, generateKeyPair, hash, type KeyObject, sign } from 'node:crypto'
import type { OutputOf, readJwks } from '@gatehouse-auth/contract'
import type { TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'
import { signedPart } from '../tokens/id-token.ts'
import type { Keyring } from '../tokens/keyring.ts'
import type { RandomBytes } from '../tokens/random-text.ts'
import { seal, unseal } from '../tokens/secret.ts'

/** NIST SP 800-131A allows no shorter key, and every library accepts this length. */
const RSA_BITS = 2_048

/** In a thread of Node, where it takes some 100 ms. */
export function generateRsaKey(): Promise<RsaKeyPair> {
  const { promise, resolve, reject } = Promise.withResolvers<RsaKeyPair>()
  generateKeyPair('rsa', { modulusLength: RSA_BITS }, (error, publicKey, privateKey) =>
    error === null ? resolve({ publicKey, privateKey }) : reject(error),
  )
  return promise
}

interface RsaKeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** An RSA key as JWKS publishes it (RFC 7517). */
export type RsaPublicKey = Extract<OutputOf<typeof readJwks>['keys'][number], { kty: 'RSA' }>

/**
 * A key with which a tenant signs ID tokens. A tenant has one for each master key, so that a new master key, which an operator
 * adds when the old one may be known to others, replaces it.
 */
export interface StoredSigningKey {
  readonly tenantId: TenantId
  /** The master key that seals it. */
  readonly masterKid: number
  readonly publicKey: RsaPublicKey
  readonly sealed: Uint8Array
  readonly createdAt: Instant
}

const contextOf = (tenantId: TenantId): string => `signing-key\0${tenantId}`

/** What is stored of a new key pair. */
export function sealSigningKey(
  keyring: Keyring,
  tenantId: TenantId,
  pair: RsaKeyPair,
  { random, now }: { readonly random: RandomBytes; readonly now: Instant },
): StoredSigningKey {
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    tenantId,
    masterKid: keyring.current.kid,
    publicKey: publicJwk(pair.publicKey),
    sealed: seal(keyring, contextOf(tenantId), pem, random),
    createdAt: now,
  }
}

function publicJwk(key: KeyObject): RsaPublicKey {
  const { n = '', e = '' } = key.export({ format: 'jwk' })
  // RFC 7638: these members, in this order.
  const kid = hash('sha256', JSON.stringify({ e, kty: 'RSA', n }), 'base64url')
  return { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
}

/** null: it was sealed with a master key that is not in the ring. */
export function unsealSigningKey(keyring: Keyring, stored: StoredSigningKey): KeyObject | null {
  const pem = unseal(keyring, contextOf(stored.tenantId), stored.sealed)
  return pem === null ? null : createPrivateKey(pem)
}

/** A key of a tenant, ready to sign. */
export interface SigningKey {
  readonly publicKey: RsaPublicKey
  readonly privateKey: KeyObject
}

/** A JWT of this payload (RFC 7515, section 5.1), signed in a thread of Node: a signature takes more than a millisecond. */
export async function signJwt(
  { publicKey, privateKey }: SigningKey,
  payload: object,
): Promise<string> {
  const signed = signedPart({ alg: publicKey.alg, kid: publicKey.kid, typ: 'JWT' }, payload)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  sign('sha256', Buffer.from(signed), privateKey, (error, signature) =>
    error === null ? resolve(signature) : reject(error),
  )
  return `${signed}.${(await promise).toString('base64url')}`
}
