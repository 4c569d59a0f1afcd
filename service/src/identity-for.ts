import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import type { IdentityProvider } from './domain/login/identity-provider.ts'
import type { WebFetch } from './http/server/in-process-fetch.ts'
import { listenerFetch } from './http/server/listener-fetch.ts'
import type { DevGoogle } from './identity/dev-google/dev-google.ts'
import { lazyDevGoogle } from './identity/dev-google/lazy-dev-google.ts'
import { testProfile } from './identity/dev-google/test-profile.ts'
import { google } from './identity/providers/google.ts'
import type { Context } from './operations/context.ts'

interface Identity extends Pick<Context, 'testProfile'> {
  readonly identity: IdentityProvider
  readonly devProvider: DevProviderMount | null
}

/** Google, or the development Google in this process. */
export function identityFor(config: Config): Identity {
  if (config.google !== null) return { identity: google(config.google), devProvider: null, testProfile: null }
  const client = { clientId: 'gatehouse-development', clientSecret: randomBytes(24).toString('base64url') }
  const provider = lazyDevGoogle({
    issuer: `${config.baseUrl}/dev/google`,
    clients: [{ ...client, redirectUris: [`${config.baseUrl}/auth/google/callback`] }],
  })
  const inProcessFetch = listenerFetch(provider.listener)
  const devProvider = { ...provider, fetch: inProcessFetch }
  // Without a socket, because discovery may run before the server listens, and BASE_URL may not resolve on this machine.
  const fetch: typeof globalThis.fetch = (input, init) => inProcessFetch(new Request(input, init))
  return {
    identity: google({ issuer: provider.issuer, ...client, fetch }),
    devProvider,
    testProfile: testProfile(provider.issuer),
  }
}

/** Origins for the CSP of pages that redirect to the provider. Google uses several hosts; the development Google, our own. */
export const providerOrigins = ({ google }: Config): string[] => {
  if (google === null) return []
  return google.issuer.startsWith('https:') ? ['https:'] : [new URL(google.issuer).origin]
}

type DevProviderMount = DevGoogle & {
  readonly fetch: WebFetch
}
