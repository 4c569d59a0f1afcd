import { randomBytes } from 'node:crypto'
import type { TestUser } from '../src/domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../src/domain/login/profile.ts'
import {
  credentialsOf,
  NAMED_PROVIDERS,
  type NamedProvider,
  PROVIDERS,
  type ProviderCredentials,
  type ProviderDefinition,
  SHARED_PROVIDERS,
  type SharedCredentials,
} from '../src/domain/providers/provider-client.ts'
import { requireOidcProvider } from './openid/load-oidc-provider.ts'
import { loopbackUrl, signInByEmail } from './simulated-sign-in.ts'
import type { SharedClient, StandIn, StandInConfig } from './stand-in.ts'

/** The stand-ins for all providers, below `/dev` of the service. */
export interface StandIns extends Pick<StandIn, 'handles' | 'listener'> {
  readonly googleIssuer: string
  readonly githubUrl: string
  /** The clients of the service itself. */
  readonly google: ProviderCredentials
  readonly shared: readonly SharedCredentials[]
  /** The URL in this process for one that a client asks for. null: it belongs to no stand-in. */
  locate(url: URL): URL | null
}

type Start = (config: StandInConfig) => Promise<StandIn>

/** The stand-ins of providers that are more than plain OpenID Connect. */
const OWN_FILES: Readonly<Partial<Record<NamedProvider, Start>>> = {
  google: async ({ url, clients }) =>
    (await import('./google.ts')).devGoogle({ issuer: url, clients }),
  github: async (config) => (await import('./github.ts')).devGithub(config),
  microsoft: async (config) => (await import('./microsoft.ts')).devMicrosoft(config),
  apple: async (config) => (await import('./apple.ts')).devApple(config),
}

const startPlain =
  (name: NamedProvider): Start =>
  async (config) =>
    (await import('./oidc.ts')).devPlain(name, PROVIDERS[name], config)

const startOidc: Start = async (config) => (await import('./oidc.ts')).devOidc(config)

/** Each loads at its first request. */
export function standIns(baseUrl: string, now: () => number): StandIns {
  requireOidcProvider()
  const urlOf = (provider: string): string => `${baseUrl}/dev/${provider}`
  const google = newClient(baseUrl, 'google')
  const shared = SHARED_PROVIDERS.map((name) => ({ name, client: newClient(baseUrl, name) }))
  const clientsOf = (name: NamedProvider): SharedClient[] =>
    name === 'google'
      ? [google]
      : shared.filter((each) => each.name === name).map(({ client }) => client)

  const standIn = (name: NamedProvider): StandIn => {
    const config = { url: urlOf(name), clients: clientsOf(name), now }
    const start = OWN_FILES[name] ?? startPlain(name)
    return lazyStandIn(PROVIDERS[name].label, config.url, () => start(config))
  }
  const oidc = { url: urlOf('oidc'), clients: [], now }
  const all = [
    ...NAMED_PROVIDERS.map(standIn),
    lazyStandIn('OpenID provider', oidc.url, () => startOidc(oidc)),
  ]
  const standInAt = (path: string): StandIn | undefined =>
    all.find((standIn) => standIn.handles(path))

  return {
    googleIssuer: urlOf('google'),
    githubUrl: urlOf('github'),
    google: credentialsOf('google', enteredFor(google)),
    shared: shared.map(({ name, client }) =>
      credentialsOf(name, {
        ...enteredFor(client),
        ...defaultsOf(PROVIDERS[name]),
      }),
    ),
    locate(url) {
      const provider = NAMED_PROVIDERS.find((name) => originOf(PROVIDERS[name]) === url.origin)
      if (provider !== undefined) {
        return new URL(urlOf(provider) + pathBelow(PROVIDERS[provider], url.pathname))
      }
      const isOurs = url.origin === baseUrl && standInAt(url.pathname) !== undefined
      return isOurs ? url : null
    },
    handles: (path) => standInAt(path) !== undefined,
    listener(req, res) {
      const path = (req.url ?? '').split('?', 1)[0] ?? ''
      const standIn = standInAt(path)
      if (standIn === undefined) {
        res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
      } else {
        standIn.listener(req, res)
      }
    },
  }
}

/** The client of the service itself. Its secret is random: no one else can use it. */
const newClient = (baseUrl: string, provider: string): SharedClient => ({
  clientId: 'gatehouse-development',
  clientSecret: randomBytes(24).toString('base64url'),
  redirectUris: [`${baseUrl}/auth/${provider}/callback`],
})

const enteredFor = ({ clientId, clientSecret }: SharedClient) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

/** The settings of an operator who sets none of them. */
const defaultsOf = ({ operator }: ProviderDefinition): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operator?.settings ?? {}).map(([name, setting]) => [name, setting.default]),
  )

/** Of an issuer that does not change in development; only its discovery document is asked for there. */
const originOf = ({ issuer }: ProviderDefinition): string | null =>
  issuer === null ? null : new URL(issuer).origin

/** The path at the stand-in for one at the issuer. */
function pathBelow({ issuer }: ProviderDefinition, path: string): string {
  const base = new URL(issuer ?? '').pathname
  if (base !== '/' && path.startsWith(`${base}/`)) {
    return path.slice(base.length)
  }
  // Microsoft's is `/<directory>/v2.0/.well-known/…`.
  return path.replace('/v2.0/', '/')
}

/** Loads a stand-in at its first request: oidc-provider is a third of the modules that a start would load. */
function lazyStandIn(title: string, url: string, start: () => Promise<StandIn>): StandIn {
  const prefix = loopbackUrl(title, url).pathname.replace(/\/$/, '')
  let loading: Promise<StandIn> | undefined
  const load = (): Promise<StandIn> => {
    // A failed load is tried again by the next request, never remembered.
    loading ??= start().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    url,
    handles: (path) => path === prefix || path.startsWith(`${prefix}/`),
    listener(req, res) {
      load().then(
        (standIn) => standIn.listener(req, res),
        (error: unknown) =>
          void res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`),
      )
    },
  }
}

/**
 * The profile that a sign-in with this email address at the development Google gives, so that a test session and a login
 * have the same user.
 */
export const testProfile =
  (issuer: string) =>
  ({ email, name, picture, subject }: TestUser): ReadProfile => {
    const known = signInByEmail(email, { url: issuer, subject: (sub) => sub })
    return readProfile(issuer, {
      sub: subject ?? known.sub,
      email: known.email,
      email_verified: known.emailVerified,
      name: name ?? known.name,
      picture: picture ?? known.picture,
    })
  }
