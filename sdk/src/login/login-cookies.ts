import { ACCESS_TOKEN_COOKIE, parseCookies } from '../session/cookies.ts'
import type { RequestContext, SessionCookies } from '../session/session-cookies.ts'

const COOKIE_PREFIX = 'gh_login_'

/** A login expires after ten minutes; its cookie lives slightly longer. */
const LOGIN_SECONDS = 900

/**
 * One cookie per login, so that logins in two tabs do not overwrite each other. The oldest are removed: 50 of them need
 * 3.5 KB of the 8 KB that proxies allow for a header.
 */
const MAX_LOGINS = 50

/** `Set-Cookie` lines that store the value of this login, and remove the oldest logins beyond the maximum. */
export function storeLoginCookie(
  cookies: SessionCookies,
  request: RequestContext,
  login: string,
  value: string,
): string[] {
  const sent = sentLogins(cookies, request)
  const surplus = sent.slice(0, Math.max(0, sent.length - MAX_LOGINS + 1))
  return [
    ...surplus.map((rest) => removeLine(cookies, request, rest)),
    cookies.serialize(request, COOKIE_PREFIX + login, value, { ...ACCESS_TOKEN_COOKIE, maxAge: LOGIN_SECONDS }),
  ]
}

/** The value of this login and the `Set-Cookie` lines that remove it; null when the request has no such cookie. */
export function clearLoginCookie(
  cookies: SessionCookies,
  request: RequestContext,
  login: string,
): { readonly value: string; readonly setCookies: string[] } | null {
  const value = cookies.value(request, COOKIE_PREFIX + login)
  return value === null ? null : { value, setCookies: [removeLine(cookies, request, login)] }
}

/**
 * `Set-Cookie` lines that remove the login that was cancelled or failed. The service does not say which one it was: with
 * other logins in other tabs all stay, and expire.
 */
export function clearOnlyLogin(cookies: SessionCookies, request: RequestContext): string[] {
  const sent = sentLogins(cookies, request)
  return sent.length === 1 ? sent.map((login) => removeLine(cookies, request, login)) : []
}

function sentLogins(cookies: SessionCookies, request: RequestContext): string[] {
  const prefix = cookies.name(request, COOKIE_PREFIX)
  const names = [...parseCookies(request.headers?.get('cookie')).keys()]
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

const removeLine = (cookies: SessionCookies, request: RequestContext, login: string): string =>
  cookies.serialize(request, COOKIE_PREFIX + login, '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 })
