// Generated from contract/src by `npx node scripts/sdk-types.ts`. Change the contract, not this file.

/** Your own client, by provider. */
export interface ProviderClients {
  readonly google: {
    readonly client_id: string
    readonly client_secret: string
    /**
     * A URL of your app that relays the response (`relayProvider`). Default: the callback of the
     * service.
     */
    readonly redirect_uri?: string | undefined
  }
  readonly github: {
    readonly client_id: string
    readonly client_secret: string
    /**
     * A URL of your app that relays the response (`relayProvider`). Default: the callback of the
     * service.
     */
    readonly redirect_uri?: string | undefined
  }
  readonly microsoft: {
    readonly client_id: string
    readonly client_secret: string
    /** Who may sign in. `common`, the default: every account. */
    readonly directory?: string | undefined
    /**
     * A URL of your app that relays the response (`relayProvider`). Default: the callback of the
     * service.
     */
    readonly redirect_uri?: string | undefined
  }
  readonly apple: {
    readonly client_id: string
    readonly team_id: string
    readonly key_id: string
    /** The content of the `.p8` file. */
    readonly private_key: string
    /**
     * A URL of your app that relays the response (`relayProvider`). Default: the callback of the
     * service.
     */
    readonly redirect_uri?: string | undefined
  }
  readonly oidc: {
    readonly client_id: string
    readonly client_secret: string
    /** An https URL with discovery. */
    readonly issuer: string
    /** 1 to 40 characters for the consent page, and the rules of a brand apply. */
    readonly display_name: string
    /**
     * A URL of your app that relays the response (`relayProvider`). Default: the callback of the
     * service.
     */
    readonly redirect_uri?: string | undefined
  }
}

/** For people. */
export const PROVIDER_LABELS = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  apple: 'Apple',
} as const
