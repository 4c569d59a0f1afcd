import { readSettings } from '../service/settings.ts'
import { type CookieOptions, sessionCookies } from '../session/session-cookies.ts'
import type { TokenPair } from '../types.ts'
import { developmentService } from './test-service.ts'

/** How a sign-in ends that does not succeed: the user cancels, or it fails at this stage. */
export type SignInOutcome = 'deny' | 'token_exchange' | 'userinfo' | 'email_unverified' | 'user_upsert'

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
  setCookie(name: string, value: string, options: { domain: string; path: string; sameSite: 'lax' }): unknown
}

const COOKIE = 'gatehouse_dev_person'

/**
 * Chooses who signs in in this browser from now on. Your app's real sign-in runs, but the account chooser and the consent
 * page don't wait for a click. Development services only.
 *
 * @example
 * ```ts
 * import { signInAs } from '@gatehouse/sdk/testing'
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
export function signInAs(context: PlaywrightContext | CypressCommands, options: SignInAsOptions): unknown {
  const { origin, hostname } = developmentService(options.baseUrl)
  const value = encodeURIComponent([options.email, options.outcome].filter((part) => part !== undefined).join('|'))
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
 * import { createTestSession, sessionCookiesFor } from '@gatehouse/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * const { tokens } = await createTestSession(service, { email: 'ada@example.com' })
 * const cookies = sessionCookiesFor(tokens, { url: 'http://localhost:3000', tenantId: 'swift-fox-running-k3qd' })
 * // await context.addCookies(cookies)
 * console.log(cookies[0]?.name) // gh_swift-fox-running-k3qd_access
 * ```
 */
export function sessionCookiesFor(tokens: TokenPair, options: SessionCookiesOptions): SessionCookie[] {
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
