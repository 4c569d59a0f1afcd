import { type StandIns, standIns, testProfile } from '../development/stand-ins.ts'
import type { Config } from './config.ts'
import { isLoopback } from './domain/callbacks/host.ts'
import type { IdentityProvider } from './domain/login/identity-provider.ts'
import type {
  ProviderCredentials,
  SharedCredentials,
  SharedProviderName,
} from './domain/providers/provider-client.ts'
import { listenerFetch } from './http/server/in-process-fetch.ts'
import type { DevProviderMount, WebFetch } from './http/server/server.ts'
import { type ProviderFetch, RESPONSE_MAX_BYTES } from './identity/bounded-fetch.ts'
import { keepAliveFetch } from './identity/keep-alive-fetch.ts'
import { ownProvider, type ProviderAccess } from './identity/own-provider.ts'
import { publicFetch, type TestNetwork } from './identity/public-https.ts'
import type { Context } from './operations/context.ts'

export interface Identity extends Pick<Context, 'testProfile'> {
  /** The operator's Google. */
  readonly identity: IdentityProvider
  /** The other providers that projects can use without a client of their own. */
  readonly sharedProviders: ReadonlyMap<SharedProviderName, IdentityProvider>
  /** A provider with an owner's client. Makes no request, and throws if a setting cannot be used at all, e.g. an http issuer. */
  ownProvider(credentials: ProviderCredentials): IdentityProvider
  /** The stand-ins, in development. */
  readonly devProvider: DevProviderMount | null
}

interface Surroundings {
  readonly now: () => number
  readonly network?: TestNetwork | undefined
}

/** The real providers, or in development a stand-in for each in this process. */
export function identityFor(config: Config, { now, network }: Surroundings): Identity {
  const oidcFetch = publicFetch(RESPONSE_MAX_BYTES, {
    loopback: isLoopback(new URL(config.baseUrl)),
    network,
  })
  if (config.google === null) {
    return developmentIdentity(config.baseUrl, oidcFetch, now)
  }

  const access: ProviderAccess = {
    googleIssuer: config.google.issuer,
    fetch: keepAliveFetch(RESPONSE_MAX_BYTES),
    oidcFetch,
    githubUrl: null,
    insecure: false,
    now,
  }
  const clients: OperatorClients = {
    google: { kind: 'google', ...config.google },
    shared: config.sharedClients,
  }
  return { ...providers(clients, access), devProvider: null, testProfile: null }
}

function developmentIdentity(
  baseUrl: string,
  oidcFetch: ProviderFetch,
  now: () => number,
): Identity {
  const development = standIns(baseUrl, now)
  const { googleIssuer, githubUrl, handles, listener } = development
  const inProcess = listenerFetch(listener)
  const access: ProviderAccess = {
    googleIssuer,
    fetch: standInFetch(development, inProcess, unreachable),
    oidcFetch: standInFetch(development, inProcess, oidcFetch),
    githubUrl,
    insecure: true,
    now,
  }
  return {
    ...providers(development, access),
    devProvider: { handles, listener, fetch: inProcess },
    testProfile: testProfile(googleIssuer),
  }
}

/** Origins for the CSP of pages that redirect to the provider. Google uses several hosts; the development Google, our own. */
export function providerOrigins({ google }: Config): string[] {
  if (google === null) {
    return []
  }
  const { protocol, origin } = new URL(google.issuer)
  return protocol === 'https:' ? ['https:'] : [origin]
}

interface OperatorClients {
  readonly google: ProviderCredentials
  readonly shared: readonly SharedCredentials[]
}

const providers = ({ google, shared }: OperatorClients, access: ProviderAccess) => ({
  identity: ownProvider(google, access),
  sharedProviders: new Map(shared.map((client) => [client.kind, ownProvider(client, access)])),
  ownProvider: (credentials: ProviderCredentials) => ownProvider(credentials, access),
})

/**
 * Asks a stand-in without a socket, because discovery may run before the server listens, and BASE_URL may not resolve on this
 * machine. It also has no deadline, which is for networks: a stand-in loads at its first request, which takes long on a busy
 * machine.
 */
const standInFetch =
  (development: StandIns, inProcess: WebFetch, otherwise: ProviderFetch): ProviderFetch =>
  (input, init) => {
    const request = new Request(input, { ...init, signal: null })
    const url = development.locate(new URL(request.url))
    return url === null ? otherwise(input, init) : inProcess(new Request(url, request))
  }

/** In development only an OpenID provider that an owner chose is asked over the network. */
const unreachable: ProviderFetch = async (input) => {
  const { origin } = new URL(input instanceof Request ? input.url : input)
  throw new Error(`no stand-in for ${origin}`)
}
