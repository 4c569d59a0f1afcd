import type { ProviderClients, ProviderName } from '../login/provider.ts'

/** `shared`: the client of the service. `own`: a client that you registered at the provider. */
export type ProviderMode = 'shared' | 'own'

/** A way to sign in to your app. */
export interface Provider {
  readonly name: ProviderName
  readonly mode: ProviderMode
  readonly client_id: string | null
  /** Of an `oidc-` provider. */
  readonly issuer?: string | undefined
  /** Of an `oidc-` provider: its name on the consent page. */
  readonly display_name?: string | undefined
  /** Register exactly this URL at the provider. */
  readonly redirect_uri: string
  /** `pending`: waits for a test sign-in of the owner. `failing`: the provider refused the client id or the secret. */
  readonly status: 'pending' | 'active' | 'failing'
  readonly tested_at: string | null
  readonly login_url: string
  /** What sign-ins use now: another client, while a new one is pending. null: the provider is not enabled. */
  readonly in_use: { readonly mode: ProviderMode; readonly client_id: string | null } | null
}

export type ProviderClient<Name extends ProviderName> = ProviderClients[Name extends `oidc-${string}`
  ? 'oidc'
  : Name & keyof ProviderClients]

export interface ProviderTestResult {
  readonly accepted: boolean
  /** What the provider answered, if it did not accept the client. */
  readonly error_code: string | null
}
