interface OwnClient {
  readonly client_id: string
  /** A URL of your app that relays the response (`relayProvider`). Default: the callback of the service. */
  readonly redirect_uri?: string | undefined
}

interface SecretClient extends OwnClient {
  readonly client_secret: string
}

/** Your own client, by provider. */
export interface ProviderClients {
  readonly google: SecretClient
  readonly github: SecretClient
  readonly microsoft: SecretClient & {
    /** Who may sign in. `common`, the default: every account. */
    readonly directory?: string | undefined
  }
  readonly apple: OwnClient & {
    readonly team_id: string
    readonly key_id: string
    /** The content of the `.p8` file. */
    readonly private_key: string
  }
  readonly oidc: SecretClient & {
    /** An https URL with discovery. */
    readonly issuer: string
    readonly display_name: string
  }
}

/** Who confirms the user: Google is always there, the others if your project has switched them on. */
export type ProviderName = Exclude<keyof ProviderClients, 'oidc'> | `oidc-${string}`

/** For people. */
export const PROVIDER_LABELS: Readonly<Record<Exclude<keyof ProviderClients, 'oidc'>, string>> = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  apple: 'Apple',
}

const OIDC_NAME = /^oidc-[a-z0-9-]{2,20}$/

export const isProviderName = (text: string): text is ProviderName =>
  Object.hasOwn(PROVIDER_LABELS, text) || OIDC_NAME.test(text)

export const PROVIDER_RULE = `provider must be ${Object.keys(PROVIDER_LABELS).join(', ')}, or oidc- and the name in your project.`

export function requireProviderName(text: string): ProviderName {
  if (isProviderName(text)) {
    return text
  }
  throw new TypeError(PROVIDER_RULE)
}

/** A way to sign in, for a button. */
export interface LoginProvider {
  readonly name: ProviderName
  /** For people: “GitHub”. */
  readonly displayName: string
}
