import type { AdapterPayload, Provider } from 'oidc-provider'
import { isAcceptedRedirectUri } from '../owner-client.ts'

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
    return isShared(this.clientId) ? compareClientSecret.call(this, secret) : acceptsSecret(secret, this.clientId)
  }
  prototype.redirectUriAllowed = function (uri) {
    return isShared(this.clientId) ? redirectUriAllowed.call(this, uri) : isAcceptedRedirectUri(uri)
  }
}
