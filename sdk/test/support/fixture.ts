import type { TestContext } from 'node:test'
import type { Tenant } from '../../../service/test/support/actors/agent.ts'
import { type World, world } from '../../../service/test/support/world.ts'
import {
  type Client,
  type ClientOptions,
  createClient,
  type Fetch,
  type Session,
  type TokenPair,
} from '../../src/index.ts'

export interface Fixture {
  readonly service: World
  readonly tenant: Tenant
  readonly client: Client
  /** A client of another process of the same app, or one with other options. */
  otherClient(options?: Partial<ClientOptions>): Client
  /** The token pair of a new sign-in. */
  signIn(user?: string): Promise<TokenPair>
  /** Advances the clock by 61 minutes. */
  expireAccessTokens(): void
}

/** Not localhost, where the names of cookies also have the project: cookies.test.ts. */
export const APP = 'https://app.example'

/** How the app and its users reach the service. */
export const TRANSPORTS = ['over sockets', 'in process'] as const

interface FixtureOptions {
  readonly transport?: (typeof TRANSPORTS)[number]
  /** The origin of the app. */
  readonly app?: string
  /** The path of its callback. */
  readonly callback?: string
  /** Intercepts requests and responses between the SDK and the service. */
  readonly wrapFetch?: (fetch: Fetch) => Fetch
}

/** The real service, a provisioned tenant, and an SDK client for it. */
export async function createFixture(
  t: TestContext,
  {
    transport = 'over sockets',
    app = APP,
    callback = '/callback',
    wrapFetch = (fetch) => fetch,
  }: FixtureOptions = {},
): Promise<Fixture> {
  const inProcess = transport === 'in process'
  const service = await world(t, { through: inProcess ? 'fetch' : 'port' })
  const tenant = await service.agent.createTenant([app + callback])
  const fetch = wrapFetch(
    inProcess
      ? (url, init) => service.app.fetch(new Request(url, init))
      : (url, init) => globalThis.fetch(url, init),
  )
  const otherClient = (more: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: service.baseUrl, tenantId: tenant.id, fetch, ...more })
  return {
    service,
    tenant,
    client: otherClient(),
    otherClient,
    async signIn(user) {
      const { access_token, refresh_token } = await tenant.signIn(service.browser(), user)
      service.clock.advance({ minutes: 1 })
      return { accessToken: access_token, refreshToken: refresh_token }
    },
    expireAccessTokens: () => service.clock.advance({ hours: 1, minutes: 1 }),
  }
}

/** The session of a request whose response can set cookies. */
export async function refreshingSession(
  client: Client,
  request: Request,
): Promise<Session & { readonly setCookies: readonly string[] }> {
  const setCookies: string[] = []
  const session = await client.session(request, {
    refresh: true,
    setCookie: (line) => setCookies.push(line),
  })
  return { ...session, setCookies }
}

/** A browser's request to the app, with these cookies. */
export function browserRequest(
  path: string,
  cookies: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Request {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return new Request(path.startsWith('/') ? APP + path : path, {
    ...init,
    headers: {
      ...(cookie.length === 0 ? {} : { Cookie: cookie.join('; ') }),
      ...(init.headers ?? {}),
    },
  })
}

/** `tenantId`: as an app on localhost names them. */
export const tokenCookies = (
  { accessToken, refreshToken }: TokenPair,
  tenantId: string | null = null,
): Record<string, string> => {
  const prefix = tenantId === null ? 'gh' : `gh_${tenantId}`
  return { [`${prefix}_access`]: accessToken, [`${prefix}_refresh`]: refreshToken }
}

/** A browser's cookies after these `Set-Cookie` lines. */
export function applySetCookies(
  lines: readonly string[],
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const cookies = new Map(Object.entries(before))
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) {
      cookies.delete(name)
    } else {
      cookies.set(name, value)
    }
  }
  return Object.fromEntries(cookies)
}
