import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import type { Call } from '../dependencies.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from './cookies.ts'

/**
 * Binds a login to one browser from its start to the consent decision (RFC 9700, section 4.7: login CSRF). Lasts as long as a
 * consent can be remembered, which is by browser, and the attempt that led to it.
 */
const BROWSER: CookieKind = {
  name: 'gatehouse_browser',
  seconds: (CONSENT_KEPT_MS + ATTEMPT_LIFETIME_MS) / 1_000,
}

export const loginBrowserCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, BROWSER)

export const setLoginBrowserCookie = (c: Call, baseUrl: string, browser: string): void =>
  setSecretCookie(c, baseUrl, BROWSER, browser)
