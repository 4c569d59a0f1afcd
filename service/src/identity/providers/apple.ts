import { createPrivateKey, sign } from 'node:crypto'
import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../../domain/login/profile.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { type Claims, openIdProvider } from '../openid-provider.ts'

interface AppleConfig extends AppleKey {
  /** The identifier of the Services ID. */
  readonly clientId: string
  readonly now: () => number
  readonly fetch?: ProviderFetch | undefined
  /** In development: its endpoints are on this machine. */
  readonly insecure?: boolean | undefined
}

const ISSUER = 'https://appleid.apple.com'

/** Sign in with Apple. Only an owner's client: subjects and relay addresses belong to a team at Apple. */
export const apple = (config: AppleConfig): IdentityProvider =>
  openIdProvider({
    issuer: ISSUER,
    clientId: config.clientId,
    clientSecret: () => appleClientSecret(config, config.now()),
    scope: 'openid name email',
    // Apple documents no code challenge.
    pkce: false,
    claimsFrom: 'id_token',
    // The scopes `name` and `email` are only granted with form_post. There are no hints.
    parameters: () => ({ response_mode: 'form_post' }),
    readProfile: readAppleProfile,
    fetch: config.fetch,
    insecure: config.insecure,
  })

/** The name comes beside the ID token, unsigned and only with the first sign-in: text to display, no part of the identity. */
function readAppleProfile(
  claims: Claims,
  _idToken: Claims,
  displayName: string | null,
): ReadProfile {
  const { email_verified } = claims
  return readProfile(ISSUER, {
    sub: claims.sub,
    email: claims.email,
    // Apple sends booleans as texts, too.
    email_verified: email_verified === true || email_verified === 'true',
    name: displayName,
  })
}

/** What a team gets from Apple instead of a client secret. */
interface AppleKey {
  readonly clientId: string
  readonly teamId: string
  readonly keyId: string
  /** The content of the `.p8` file. */
  readonly privateKey: string
}

/** Apple allows half a year; a secret that is made for one request needs minutes. */
const LIFETIME_SECONDS = 300

/** The client secret that Apple expects: a JWT, signed with the key of the team (ES256). */
export function appleClientSecret(
  { clientId, teamId, keyId, privateKey }: AppleKey,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1_000)
  const header = encoded({ alg: 'ES256', kid: keyId })
  const payload = encoded({
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    aud: 'https://appleid.apple.com',
    sub: clientId,
  })
  const key = createPrivateKey(privateKey)
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  })
  return `${header}.${payload}.${signature.toString('base64url')}`
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
