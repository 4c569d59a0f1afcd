import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import type { IdentityProvider } from './domain/login/identity-provider.ts'
import type { WebFetch } from './http/server/in-process-fetch.ts'
import { listenerFetch } from './http/server/listener-fetch.ts'
import type { DevGoogle } from './identity/dev-google/dev-google.ts'
import { devGoogleWhenNeeded } from './identity/dev-google/when-needed.ts'
import { google } from './identity/google.ts'

/** The real Google, or the one that lives in this process. */
export function identityFor(config: Config): { identity: IdentityProvider; devProvider: DevProviderMount | null } {
  if (config.google !== null) return { identity: google(config.google), devProvider: null }
  const client = { clientId: 'gatehouse-development', clientSecret: randomBytes(24).toString('base64url') }
  const provider = devGoogleWhenNeeded({
    issuer: `${config.baseUrl}/dev/google`,
    clients: [{ ...client, redirectUris: [`${config.baseUrl}/auth/google/callback`] }],
  })
  const ask = listenerFetch(provider.listener)
  const devProvider = { ...provider, fetch: ask }
  // It is asked where it is. Over the network we would have to listen already, and under the address of the outside.
  const fetch: typeof globalThis.fetch = (input, init) => ask(new Request(input, init))
  return { identity: google({ issuer: provider.issuer, ...client, fetch }), devProvider }
}

/** Google's sign-in may lead over several of its hosts; the one in this process is on our own. */
export const providerOrigins = ({ google }: Config): string[] => {
  if (google === null) return []
  return google.issuer.startsWith('https:') ? ['https:'] : [new URL(google.issuer).origin]
}

type DevProviderMount = DevGoogle & {
  readonly fetch: WebFetch
}
