import type { TestContext } from 'node:test'
import type { Tenant } from '../../../service/test/support/actors/agent.ts'
import { type World, world } from '../../../service/test/support/world.ts'
import { type Client, type ClientOptions, createClient, type Fetch, type TokenPair } from '../../src/index.ts'

export interface Scene {
  readonly here: World
  readonly tenant: Tenant
  readonly client: Client
  /** Another process of the same app, or the same one with other options. */
  another(options?: Partial<ClientOptions>): Client
  /** Somebody who has just signed in. */
  signIn(person?: string): Promise<TokenPair>
  /** The hour of an access token passes. */
  anHourLater(): void
}

export const APP = 'http://localhost:3000'

/** How an app and its visitors reach the service. Its answers must not depend on it. */
export const WAYS = ['over sockets', 'in process'] as const

interface SceneOptions {
  readonly way?: (typeof WAYS)[number]
  /** Where the app is. */
  readonly app?: string
  /** What happens to requests and answers between the SDK and the service. */
  readonly through?: (fetch: Fetch) => Fetch
}

/** The real service, a tenant of it, and an app that uses the SDK. */
export async function scene(
  t: TestContext,
  { way = 'over sockets', app = APP, through = (fetch) => fetch }: SceneOptions = {},
): Promise<Scene> {
  const inProcess = way === 'in process'
  const here = await world(t, { inProcess })
  const tenant = await here.agent.createTenant([`${app}/callback`])
  const fetch = through(
    inProcess ? (url, init) => here.app.fetch(new Request(url, init)) : (url, init) => globalThis.fetch(url, init),
  )
  const another = (more: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: here.baseUrl, tenantId: tenant.id, fetch, ...more })
  return {
    here,
    tenant,
    client: another(),
    another,
    async signIn(person) {
      const { access_token, refresh_token } = await tenant.signIn(here.browser(), person)
      here.clock.advance({ minutes: 1 })
      return { accessToken: access_token, refreshToken: refresh_token }
    },
    anHourLater: () => here.clock.advance({ hours: 1, minutes: 1 }),
  }
}

/** A request of a browser to the app, with these cookies. */
export function visit(path: string, cookies: Readonly<Record<string, string>> = {}, init: RequestInit = {}): Request {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return new Request(path.startsWith('/') ? APP + path : path, {
    ...init,
    headers: { ...(cookie.length === 0 ? {} : { Cookie: cookie.join('; ') }), ...(init.headers ?? {}) },
  })
}

export const cookiesOf = ({ accessToken, refreshToken }: TokenPair): Record<string, string> => ({
  gh_access: accessToken,
  gh_refresh: refreshToken,
})

/** What a browser would hold after these `Set-Cookie` lines. */
export function jar(
  lines: readonly string[],
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const kept = new Map(Object.entries(before))
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) kept.delete(name)
    else kept.set(name, value)
  }
  return Object.fromEntries(kept)
}
