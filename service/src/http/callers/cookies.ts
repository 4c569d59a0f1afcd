import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Call } from '../dependencies.ts'

/** What our cookies hold: 32 random bytes in base64url. Anything else was not set by us. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/

export interface CookieKind {
  readonly name: string
  readonly seconds: number
}

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https:')
// __Host- keeps sub-domains and plain http from planting a cookie here. Browsers refuse it without https.
const nameOf = ({ name }: CookieKind, baseUrl: string): string => (isHttps(baseUrl) ? `__Host-${name}` : name)

export function readSecretCookie(c: Call, baseUrl: string, kind: CookieKind): string | null {
  const value = getCookie(c, nameOf(kind, baseUrl))
  return value !== undefined && SHAPE.test(value) ? value : null
}

/** Lax: it must come along when the provider sends the browser back, which is a navigation from another site. */
export function setSecretCookie(c: Call, baseUrl: string, kind: CookieKind, secret: string): void {
  setCookie(c, nameOf(kind, baseUrl), secret, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: kind.seconds,
    secure: isHttps(baseUrl),
  })
}

export function deleteSecretCookie(c: Call, baseUrl: string, kind: CookieKind): void {
  deleteCookie(c, nameOf(kind, baseUrl), { path: '/', secure: isHttps(baseUrl) })
}
