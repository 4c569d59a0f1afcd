import type { AdapterPayload, Provider } from 'oidc-provider'
import type { SignInPageSettings } from '../page.ts'
import { isAcceptedRedirectUri, type SimulatedSignIn } from '../simulated-sign-in.ts'

/** How one OpenID provider differs from the others, as its clients see it. */
export interface OpenIdDefinition extends SignInPageSettings {
  /** In the names of its cookies. */
  readonly name: string
  /** The issuer in its metadata and ID tokens. null: where it is mounted. */
  readonly issuer: string | null
  readonly routes: {
    readonly authorization: string
    readonly token: string
    readonly userinfo: string
    readonly jwks: string
  }
  /** What comes before its routes, and stays in the URLs of its metadata. Microsoft: the directory. */
  readonly authority?: RegExp
  /** The claims of each scope. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
  readonly pkce: boolean
  /** Whether a request may have `prompt=select_account`. Others refuse it, as oidc-provider does by default. */
  readonly offersChooser: boolean
  /** `pairwise`: every client sees another `sub` of the same user. */
  readonly subjects: 'public' | 'pairwise'
  /** Whether the response to the browser names the issuer (RFC 9207). */
  readonly namesIssuer: boolean
  /** The `error` of Cancel. */
  readonly cancelError: string
  claims(signIn: SimulatedSignIn, use: 'id_token' | 'userinfo'): Readonly<Record<string, unknown>>
  /** Whether an owner's client may use this secret. */
  acceptsSecret(secret: string, clientId: string, now: number): boolean
  /** What else it does differently. */
  adapt?(provider: Provider): void
}

/** The metadata of a client with any id. Its secret and redirect URI are not compared, see below. */
export const ownerClient = (clientId: string): AdapterPayload => ({
  client_id: clientId,
  client_secret: 'not-compared',
  redirect_uris: ['https://not-compared.example/callback'],
  token_endpoint_auth_method: 'client_secret_post',
})

/** Owners' clients authenticate with any accepted secret, from any accepted redirect URI; the service's own as registered. */
export function acceptOwnerClients(
  provider: Provider,
  isShared: (clientId: string) => boolean,
  acceptsSecret: (secret: string, clientId: string) => boolean,
): void {
  // oidc-provider documents this override for redirect URIs that cannot be registered one by one.
  const { prototype } = provider.Client
  const { compareClientSecret, redirectUriAllowed } = prototype
  prototype.compareClientSecret = function (secret) {
    return isShared(this.clientId)
      ? compareClientSecret.call(this, secret)
      : acceptsSecret(secret, this.clientId)
  }
  prototype.redirectUriAllowed = function (uri) {
    return isShared(this.clientId) ? redirectUriAllowed.call(this, uri) : isAcceptedRedirectUri(uri)
  }
}
