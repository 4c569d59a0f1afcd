import { readSettings } from './service/settings.ts'
import { type CookieOptions, sessionCookies } from './session/session-cookies.ts'
import type { Fetch, TokenPair, User } from './types.ts'

/** How a sign-in ends that does not succeed: the user cancels, or it fails at this stage. */
export type SignInOutcome =
  | 'deny'
  | 'token_exchange'
  | 'userinfo'
  | 'email_unverified'
  | 'user_upsert'

export interface SignInAsOptions {
  /** The address of the development service, `base_url` in your credentials file. */
  readonly baseUrl: string
  readonly email: string
  /** Default: the sign-in succeeds. */
  readonly outcome?: SignInOutcome | undefined
}

/** The part of Playwright's `BrowserContext` that is used. */
export interface PlaywrightContext {
  addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void>
}

/** The part of Cypress's `cy` that is used. */
export interface CypressCommands {
  setCookie(
    name: string,
    value: string,
    options: { domain: string; path: string; sameSite: 'lax' },
  ): unknown
}

const COOKIE = 'gatehouse_dev_person'

/**
 * Chooses who signs in in this browser from now on. Your app's real sign-in runs, but the account chooser and the consent
 * page don't wait for a click. Development services only.
 *
 * @example
 * ```ts
 * import { signInAs } from '@gatehouse-auth/sdk/testing'
 * import type { BrowserContext, Page } from 'playwright-core'
 *
 * export async function openAsAda(context: BrowserContext, page: Page): Promise<void> {
 *   await signInAs(context, { baseUrl: 'http://localhost:8787', email: 'ada@example.com' })
 *   await page.goto('http://localhost:3000/login')
 * }
 * ```
 */
export function signInAs(context: PlaywrightContext, options: SignInAsOptions): Promise<void>
export function signInAs(context: CypressCommands, options: SignInAsOptions): unknown
export function signInAs(
  context: PlaywrightContext | CypressCommands,
  options: SignInAsOptions,
): unknown {
  const { origin, hostname } = developmentService(options.baseUrl)
  const value = encodeURIComponent(
    [options.email, options.outcome].filter((part) => part !== undefined).join('|'),
  )
  return 'addCookies' in context
    ? context.addCookies([{ name: COOKIE, value, url: origin }])
    : context.setCookie(COOKIE, value, { domain: hostname, path: '/', sameSite: 'lax' })
}

/** A cookie as Playwright's `context.addCookies` takes it. */
export interface SessionCookie {
  name: string
  value: string
  url: string
  httpOnly: boolean
  secure: boolean
  sameSite: 'Lax'
}

export interface SessionCookiesOptions {
  /** The address of your app. */
  readonly url: string
  /** The `tenantId` of your client, which is in the names of cookies on localhost. Default: that of `createClient()`. */
  readonly tenantId?: string | undefined
  /** The `cookies` option of your client, if it has one. */
  readonly cookies?: CookieOptions | undefined
}

/**
 * The cookies of a signed-in browser, as your app's callback would set them. For apps that keep the pair in cookies.
 *
 * @example
 * ```ts
 * import { createTestSession, sessionCookiesFor } from '@gatehouse-auth/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * const { tokens } = await createTestSession(service, { email: 'ada@example.com' })
 * const cookies = sessionCookiesFor(tokens, { url: 'http://localhost:3000', tenantId: 'swift-fox-running-k3qd' })
 * // await context.addCookies(cookies)
 * console.log(cookies[0]?.name) // gh_swift-fox-running-k3qd_access
 * ```
 */
export function sessionCookiesFor(
  tokens: TokenPair,
  options: SessionCookiesOptions,
): SessionCookie[] {
  const { url, cookies } = options
  // Only the tenant is needed, not the address of the service.
  const { tenantId } = readSettings({ baseUrl: url, tenantId: options.tenantId })
  // With the cookie that binds the browser: a client without a secret ignores it.
  const lines = sessionCookies(tenantId, cookies, true).store({ url }, tokens)
  return lines.map((line) => {
    const [pair = '', ...attributes] = line.split('; ')
    const equals = pair.indexOf('=')
    return {
      name: pair.slice(0, equals),
      value: pair.slice(equals + 1),
      url: new URL(url).origin,
      httpOnly: attributes.includes('HttpOnly'),
      secure: attributes.includes('Secure'),
      sameSite: 'Lax',
    }
  })
}

/** A development service and the management key of your project: `base_url` and `coh_management_key` in `.service`. */
export interface TestService {
  readonly baseUrl: string
  readonly managementKey: string
  readonly fetch?: Fetch | undefined
}

export interface TestUser {
  readonly email: string
  readonly name?: string | undefined
  readonly picture?: string | undefined
  /** The provider's id for the user. Default: the one that a sign-in with this email address has. */
  readonly subject?: string | undefined
  /** How long the first access token is valid, from 5 seconds. Default: that of the service, an hour. */
  readonly accessTokenSeconds?: number | undefined
}

export interface TestSession {
  readonly user: User
  readonly tokens: TokenPair
}

/**
 * Signs a made-up user in, without a browser. The session is like any other.
 *
 * @example
 * ```ts
 * import { createTestSession } from '@gatehouse-auth/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * const { user, tokens } = await createTestSession(service, { email: 'ada@example.com', accessTokenSeconds: 5 })
 * ```
 */
export async function createTestSession(
  service: TestService,
  { accessTokenSeconds, ...user }: TestUser,
): Promise<TestSession> {
  const body = { ...user, access_token_seconds: accessTokenSeconds }
  const created = (await call(service, 'POST', '/api/social-login/test-sessions', body)) as {
    readonly access_token: string
    readonly refresh_token: string
    readonly user: User
  }
  return {
    user: created.user,
    tokens: { accessToken: created.access_token, refreshToken: created.refresh_token },
  }
}

/**
 * Deletes all users of the project with their sessions and events. Call it before a test that needs an empty project.
 *
 * @example
 * ```ts
 * import { deleteUsers } from '@gatehouse-auth/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * await deleteUsers(service)
 * ```
 */
export async function deleteUsers(service: TestService): Promise<void> {
  await call(service, 'DELETE', '/api/social-login/users')
}

/**
 * Pauses or ends a guest project, to see what your app shows then. Nothing lifts either but a claim of a paused project, so
 * create a project for such a test.
 *
 * @example
 * ```ts
 * import { setTenantStatus } from '@gatehouse-auth/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * await setTenantStatus(service, 'paused')
 * ```
 */
export async function setTenantStatus(
  service: TestService,
  status: 'paused' | 'expired',
): Promise<void> {
  await call(service, 'POST', '/api/test-status', { status })
}

async function call(
  service: TestService,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const { origin } = developmentService(service.baseUrl)
  const fetch: Fetch = service.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const response = await fetch(origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${service.managementKey}`,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  if (response.ok) {
    return JSON.parse(text)
  }
  const isMissing = response.status === 404 || response.status === 405
  const reason = isMissing
    ? 'This service is not a development service: it runs with a real Google.'
    : text
  throw new Error(`${method} ${path} responded ${response.status}. ${reason}`)
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The address of a development service: any other ignores the cookie and has none of the endpoints. */
function developmentService(baseUrl: string): URL {
  if (URL.canParse(baseUrl)) {
    const url = new URL(baseUrl)
    if (LOOPBACK.has(url.hostname)) {
      return url
    }
  }
  throw new TypeError(
    'baseUrl must be a development service on this machine, such as "http://localhost:8787".',
  )
}
