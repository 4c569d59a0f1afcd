import { randomBase64Url } from '../base64url.ts'
import { ACCESS_TOKEN_COOKIE, parseCookies } from '../session/cookies.ts'
import type { RequestContext, SessionCookies } from '../session/session-cookies.ts'

// Login CSRF: an attacker sends a victim to `/callback?access_token=<the attacker's>`, and the victim unknowingly works in
// the attacker's account (RFC 9700, section 4.7). So a login stores a random nonce in a cookie and in return_to, which the
// service returns unchanged; a callback must have both.

const COOKIE_PREFIX = 'gh_login_'
const IN_RETURN_TO = /[?&]gh_nonce=([\w-]{22})$/
/** A login without a path to return to: the callback's `home` decides. */
const WITHOUT_RETURN_TO = /^\/\?gh_home=([\w-]{22})$/

/** A login expires after ten minutes; the nonce cookie lives slightly longer. */
const NONCE_SECONDS = 900

/**
 * One cookie per login, so that logins in two tabs do not overwrite each other. The oldest are removed: 50 of them need
 * 2 KB of the 8 KB that proxies allow for a header.
 */
const MAX_NONCES = 50

export const newNonce = (): string => randomBase64Url(16)

/** Appends the nonce to the query, so that removing it restores the path byte for byte. null: no path to return to. */
export function withNonce(returnTo: string | null, nonce: string): string {
  if (returnTo === null) return `/?gh_home=${nonce}`
  const { path, fragment } = split(returnTo)
  return `${path}${path.includes('?') ? '&' : '?'}gh_nonce=${nonce}${fragment}`
}

export function extractNonce(returnTo: string): { readonly returnTo: string | null; readonly nonce: string | null } {
  const home = WITHOUT_RETURN_TO.exec(returnTo)
  if (home !== null) return { returnTo: null, nonce: home[1] ?? null }
  const { path, fragment } = split(returnTo)
  const found = IN_RETURN_TO.exec(path)
  if (found === null) return { returnTo, nonce: null }
  return { returnTo: path.slice(0, found.index) + fragment, nonce: found[1] ?? null }
}

/** `Set-Cookie` lines that store the nonce, and remove the oldest nonces beyond the maximum. */
export function storeNonce(cookies: SessionCookies, request: RequestContext, nonce: string): string[] {
  const prefix = cookies.name(request, COOKIE_PREFIX)
  const sent = [...parseCookies(request.headers?.get('cookie')).keys()].filter((name) => name.startsWith(prefix))
  const surplus = sent.slice(0, Math.max(0, sent.length - MAX_NONCES + 1)).map((name) => name.slice(prefix.length))
  return [
    ...surplus.map((rest) =>
      cookies.serialize(request, COOKIE_PREFIX + rest, '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 }),
    ),
    cookies.serialize(request, cookieName(nonce), '1', { ...ACCESS_TOKEN_COOKIE, maxAge: NONCE_SECONDS }),
  ]
}

/** `Set-Cookie` lines that remove the nonce, or null when the request has no cookie with this nonce. */
export function consumeNonce(cookies: SessionCookies, request: RequestContext, nonce: string | null): string[] | null {
  if (nonce === null) return null
  if (cookies.value(request, cookieName(nonce)) === null) return null
  return [cookies.serialize(request, cookieName(nonce), '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 })]
}

const cookieName = (nonce: string): string => COOKIE_PREFIX + nonce

function split(returnTo: string): { path: string; fragment: string } {
  const hash = returnTo.indexOf('#')
  return hash < 0 ? { path: returnTo, fragment: '' } : { path: returnTo.slice(0, hash), fragment: returnTo.slice(hash) }
}
