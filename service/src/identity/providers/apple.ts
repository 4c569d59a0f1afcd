import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../../domain/login/profile.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { type Claims, openIdProvider } from '../openid-provider.ts'
import { type AppleKey, appleClientSecret } from './apple-client-secret.ts'

export interface AppleConfig extends AppleKey {
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
export function readAppleProfile(claims: Claims, _idToken: Claims, displayName: string | null): ReadProfile {
  const { email_verified } = claims
  return readProfile(ISSUER, {
    sub: claims.sub,
    email: claims.email,
    // Apple sends booleans as texts, too.
    email_verified: email_verified === true || email_verified === 'true',
    name: displayName,
  })
}
