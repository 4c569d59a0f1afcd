/** What an owner or the operator got from a provider for their application. */
export type ProviderCredentials =
  | { readonly kind: 'google'; readonly clientId: string; readonly clientSecret: string }
  | { readonly kind: 'github'; readonly clientId: string; readonly clientSecret: string }
  | {
      readonly kind: 'microsoft'
      readonly clientId: string
      readonly clientSecret: string
      /** The id of a directory, or `common`, `organizations` or `consumers`. */
      readonly directory: string
    }
  | {
      readonly kind: 'apple'
      /** The identifier of the Services ID. */
      readonly clientId: string
      readonly teamId: string
      readonly keyId: string
      /** The content of the `.p8` file. */
      readonly privateKey: string
    }
  | { readonly kind: 'oidc'; readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** The providers for which the operator can have a client that projects share, besides Google. */
export type SharedProviderName = 'github' | 'microsoft'

export type SharedCredentials = Extract<ProviderCredentials, { kind: SharedProviderName }>
