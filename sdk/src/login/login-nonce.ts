import { randomBase64Url } from '../base64url.ts'
import type { RequestContext, SessionCookies } from '../session/session-cookies.ts'
import { clearLoginCookie, storeLoginCookie } from './login-cookies.ts'

// Login CSRF: an attacker sends a victim to `/callback?access_token=<the attacker's>`, and the victim unknowingly works in
// the attacker's account (RFC 9700, section 4.7). So a login of the flow `tokens` stores a random nonce in a cookie and in
// return_to, which the service returns unchanged; a callback must have both.

const IN_RETURN_TO = /[?&]gh_nonce=([\w-]{22})$/
/** A login without a path to return to: the callback's `home` decides. */
const WITHOUT_RETURN_TO = /^\/\?gh_home=([\w-]{22})$/

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

/** `Set-Cookie` lines that store the nonce, and remove the oldest logins beyond the maximum. */
export const storeNonce = (cookies: SessionCookies, request: RequestContext, nonce: string): string[] =>
  storeLoginCookie(cookies, request, nonce, '1')

/** `Set-Cookie` lines that remove the nonce, or null when the request has no cookie with this nonce. */
export const consumeNonce = (
  cookies: SessionCookies,
  request: RequestContext,
  nonce: string | null,
): string[] | null => (nonce === null ? null : (clearLoginCookie(cookies, request, nonce)?.setCookies ?? null))

function split(returnTo: string): { path: string; fragment: string } {
  const hash = returnTo.indexOf('#')
  return hash < 0 ? { path: returnTo, fragment: '' } : { path: returnTo.slice(0, hash), fragment: returnTo.slice(hash) }
}
