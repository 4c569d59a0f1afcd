import { randomBytes } from 'node:crypto'
import type { TestUser } from '../src/domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../src/domain/login/profile.ts'
import type {
  ProviderCredentials,
  SharedCredentials,
} from '../src/domain/providers/provider-client.ts'
import { requireOidcProvider } from './openid/load-oidc-provider.ts'
import { loopbackUrl, signInByEmail } from './simulated-sign-in.ts'
import type { StandIn } from './stand-in.ts'

/** The stand-ins for all providers, below `/dev` of the service. */
export interface StandIns extends Pick<StandIn, 'handles' | 'listener'> {
  readonly googleIssuer: string
  readonly githubUrl: string
  /** The clients of the service itself. Their secrets are random: no one else can use them. */
  readonly google: ProviderCredentials
  readonly shared: readonly SharedCredentials[]
  /** The URL in this process for one that a client asks for. null: it belongs to no stand-in. */
  locate(url: URL): URL | null
}

/** The origins of providers whose issuer does not change in development; only their discovery document is asked for there. */
const REAL_ORIGINS: Readonly<Record<string, string>> = {
  'https://login.microsoftonline.com': 'microsoft',
  'https://appleid.apple.com': 'apple',
}

/** Each loads at its first request. */
export function standIns(baseUrl: string, now: () => number): StandIns {
  requireOidcProvider()
  const sharedClient = (provider: string) => ({
    clientId: 'gatehouse-development',
    clientSecret: randomBytes(24).toString('base64url'),
    redirectUris: [`${baseUrl}/auth/${provider}/callback`],
  })
  const google = sharedClient('google')
  const github = sharedClient('github')
  const microsoft = sharedClient('microsoft')

  const urlOf = (provider: string): string => `${baseUrl}/dev/${provider}`
  const configOf = (provider: string, client?: ReturnType<typeof sharedClient>) => ({
    url: urlOf(provider),
    clients: client === undefined ? [] : [client],
    now,
  })

  const all = [
    lazyStandIn('Google', urlOf('google'), async () =>
      (await import('./google.ts')).devGoogle({ issuer: urlOf('google'), clients: [google] }),
    ),
    lazyStandIn('GitHub', urlOf('github'), async () =>
      (await import('./github.ts')).devGithub(configOf('github', github)),
    ),
    lazyStandIn('Microsoft', urlOf('microsoft'), async () =>
      (await import('./microsoft.ts')).devMicrosoft(configOf('microsoft', microsoft)),
    ),
    lazyStandIn('Apple', urlOf('apple'), async () =>
      (await import('./apple.ts')).devApple(configOf('apple')),
    ),
    lazyStandIn('OpenID provider', urlOf('oidc'), async () =>
      (await import('./oidc.ts')).devOidc(configOf('oidc')),
    ),
  ]
  const standInAt = (path: string): StandIn | undefined =>
    all.find((standIn) => standIn.handles(path))

  return {
    googleIssuer: urlOf('google'),
    githubUrl: urlOf('github'),
    google: { kind: 'google', clientId: google.clientId, clientSecret: google.clientSecret },
    shared: [
      { kind: 'github', clientId: github.clientId, clientSecret: github.clientSecret },
      {
        kind: 'microsoft',
        clientId: microsoft.clientId,
        clientSecret: microsoft.clientSecret,
        directory: 'common',
      },
    ],
    locate(url) {
      const provider = REAL_ORIGINS[url.origin]
      // Microsoft's is `/<directory>/v2.0/.well-known/…`.
      if (provider !== undefined) {
        return new URL(urlOf(provider) + url.pathname.replace('/v2.0/', '/'))
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
