import type { IdentityProvider } from '../domain/login/identity-provider.ts'
import { PROVIDERS, type ProviderCredentials } from '../domain/providers/provider-client.ts'
import type { ProviderFetch } from './bounded-fetch.ts'
import { apple } from './providers/apple.ts'
import { github } from './providers/github.ts'
import { google } from './providers/google.ts'
import { microsoft } from './providers/microsoft.ts'
import { oidc } from './providers/oidc.ts'

/** How the providers are reached: over the internet, or in development as stand-ins of this process. */
export interface ProviderAccess {
  readonly googleIssuer: string
  /** The named providers. */
  readonly fetch: ProviderFetch
  /** Any issuer that an owner chose: guarded against SSRF. */
  readonly oidcFetch: ProviderFetch
  /** Where the stand-in for GitHub is mounted. null: GitHub. */
  readonly githubUrl: string | null
  /** Whether endpoints may use http: those of a stand-in are on this machine. */
  readonly insecure: boolean
  readonly now: () => number
}

/** The client of a provider with these credentials, an owner's or the operator's. Makes no request. */
export function ownProvider(
  credentials: ProviderCredentials,
  { googleIssuer, fetch, oidcFetch, githubUrl, insecure, now }: ProviderAccess,
): IdentityProvider {
  switch (credentials.kind) {
    case 'google':
      return google({ ...credentials, issuer: googleIssuer, fetch })
    case 'github':
      return github({
        ...credentials,
        fetch,
        ...(githubUrl === null ? {} : { web: githubUrl, api: `${githubUrl}/api` }),
      })
    case 'microsoft':
      return microsoft({ ...credentials, fetch, insecure })
    case 'apple':
      return apple({ ...credentials, fetch, insecure, now })
    case 'oidc':
      return oidc({ ...credentials, fetch: oidcFetch })
    default:
      return plainProvider(credentials, { fetch, insecure })
  }
}

/** The providers whose definition names their issuer. */
type IssuedProvider = {
  [K in keyof typeof PROVIDERS]: (typeof PROVIDERS)[K]['issuer'] extends string ? K : never
}[keyof typeof PROVIDERS]

interface PlainCredentials {
  readonly kind: IssuedProvider
  readonly clientId: string
  readonly clientSecret: string
}

/** A provider that is plain OpenID Connect needs no file here: its definition says everything. */
function plainProvider(
  { kind, clientId, clientSecret }: PlainCredentials,
  { fetch, insecure }: Pick<ProviderAccess, 'fetch' | 'insecure'>,
): IdentityProvider {
  const { issuer, chooser } = PROVIDERS[kind]
  return oidc({ issuer, chooser, clientId, clientSecret, fetch, insecure })
}
