import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isLoopback } from '../domain/callbacks/host.ts'

type Client = typeof import('openid-client')

export interface ClientAtProvider {
  readonly issuer: string
  readonly clientId: string
  /** Called for each request: Apple's is signed each time. */
  clientSecret(): string
  /** Whether its endpoints may use http although the issuer does not: in development they are on this machine. */
  readonly insecure?: boolean | undefined
}

export interface Discovered {
  readonly client: Client
  readonly configuration: Configuration
  readonly metadata: ServerMetadata
}

let loaded: Promise<Client> | undefined

/** At the first sign-in, because a start does not need it. Tries again after a failure. */
export function loadClient(): Promise<Client> {
  loaded ??= import('openid-client').catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/** Fetches the discovery document once; concurrent callers share the request. A failure is not cached. */
export function discovery(provider: ClientAtProvider, fetch: CustomFetch): () => Promise<Discovered> {
  const issuer = new URL(provider.issuer)
  const isLocal = issuer.protocol === 'http:' && isLoopback(issuer)
  // Prevents sending the client secret and the tokens in clear text (RFC 6749, section 3.2).
  if (issuer.protocol !== 'https:' && !isLocal) {
    throw new Error(`The identity provider must use https: ${provider.issuer}. Only one on this machine may use http.`)
  }
  let discovered: Promise<Discovered> | undefined

  async function readMetadata(): Promise<Discovered> {
    const client = await loadClient()
    // Not Basic: it form-encodes the dots and dashes of Google's client ids (RFC 6749, section 2.3.1).
    const authentication: ClientAuth = (...request) => client.ClientSecretPost(provider.clientSecret())(...request)
    const configuration = await client.discovery(issuer, provider.clientId, undefined, authentication, {
      [client.customFetch]: fetch,
      execute: isLocal || provider.insecure ? [client.allowInsecureRequests] : [],
    })
    return { client, configuration, metadata: configuration.serverMetadata() }
  }

  return () => {
    discovered ??= readMetadata().catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
}
