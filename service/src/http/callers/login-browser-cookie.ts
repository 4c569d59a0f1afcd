import type { Call } from '../dependencies.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from './cookies.ts'

/** Binds a login to one browser from its start to the consent decision (RFC 9700, section 4.7: login CSRF). */
const BROWSER: CookieKind = { name: 'gatehouse_browser', seconds: 3_600 }

export const loginBrowserCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, BROWSER)

export const setLoginBrowserCookie = (c: Call, baseUrl: string, browser: string): void =>
  setSecretCookie(c, baseUrl, BROWSER, browser)
