import { getCookie, setCookie } from 'hono/cookie'
import type { Call } from '../surface.ts'

const NAME = 'gatehouse_browser'
const SECONDS = 3_600
/** What start-login mints: 32 bytes in base64url. Anything else was not set by us. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https:')
// __Host- keeps sub-domains and plain http from planting a cookie here. Browsers refuse it without https.
const cookieName = (baseUrl: string): string => (isHttps(baseUrl) ? `__Host-${NAME}` : NAME)

/** The cookie that ties a login to one browser, from its start to the decision. */
export function loginBrowser(c: Call, baseUrl: string): string | null {
  const value = getCookie(c, cookieName(baseUrl))
  return value !== undefined && SHAPE.test(value) ? value : null
}

/** Lax: it must come along when the provider sends the browser back, which is a navigation from another site. */
export function rememberLoginBrowser(c: Call, baseUrl: string, browser: string): void {
  setCookie(c, cookieName(baseUrl), browser, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: SECONDS,
    secure: isHttps(baseUrl),
  })
}
