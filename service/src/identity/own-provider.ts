import type { IdentityProvider } from '../domain/login/identity-provider.ts'
import type { ProviderCredentials } from '../domain/providers/provider-client.ts'
import type { ProviderFetch } from './bounded-fetch.ts'
import { apple } from './providers/apple.ts'
import { github } from './providers/github.ts'
import { google } from './providers/google.ts'
import { microsoft } from './providers/microsoft.ts'
import { oidc } from './providers/oidc.ts'

/** How the providers are reached: over the internet, or in development as stand-ins of this process. */
export interface ProviderAccess {
  readonly googleIssuer: string
  /** Google, GitHub, Microsoft and Apple. */
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
  }
}
