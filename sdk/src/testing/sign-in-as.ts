import { developmentService } from './development-service.ts'

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
