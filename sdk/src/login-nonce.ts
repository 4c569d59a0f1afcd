import { ACCESS_TOKEN_COOKIE, parseCookies } from './cookies.ts'
import { randomText } from './random-text.ts'
import type { Place, SessionCookies } from './session-cookies.ts'

// Login CSRF: somebody sends a victim to `/callback?access_token=<their own>`, and the victim works in the attacker's
// account without noticing (RFC 9700, section 4.6). So a login leaves a random number in the browser that started it and
// the same number in return_to, which comes back untouched; a callback without both was not started here.

const COOKIE = 'gh_login_'
const IN_RETURN_TO = /[?&]gh_nonce=([\w-]{22})$/

/** A login lasts ten minutes; this outlives it a little. */
const SECONDS = 900

/** One cookie for each login, so that two tabs do not undo each other's; but not for ever more. */
const KEPT_MAX = 8

export const newNonce = (): string => randomText(16)

/** At the end of the query, so that taking it out again leaves every other byte as it was. */
export function withNonce(returnTo: string, nonce: string): string {
  const { path, fragment } = split(returnTo)
  return `${path}${path.includes('?') ? '&' : '?'}gh_nonce=${nonce}${fragment}`
}

export function takeNonce(returnTo: string): { readonly returnTo: string; readonly nonce: string | null } {
  const { path, fragment } = split(returnTo)
  const found = IN_RETURN_TO.exec(path)
  if (found === null) return { returnTo, nonce: null }
  return { returnTo: path.slice(0, found.index) + fragment, nonce: found[1] ?? null }
}

/** `Set-Cookie` lines that remember this login, and forget the oldest of too many. */
export function rememberNonce(cookies: SessionCookies, place: Place, nonce: string): string[] {
  const prefix = cookies.name(place, COOKIE)
  const sent = [...parseCookies(place.headers?.get('cookie')).keys()].filter((name) => name.startsWith(prefix))
  const surplus = sent.slice(0, Math.max(0, sent.length - KEPT_MAX + 1)).map((name) => name.slice(prefix.length))
  return [
    ...surplus.map((rest) => cookies.line(place, COOKIE + rest, '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 })),
    cookies.line(place, nameOf(nonce), nonce, { ...ACCESS_TOKEN_COOKIE, maxAge: SECONDS }),
  ]
}

/** `Set-Cookie` lines that forget this login, or null when this browser did not start it. */
export function recallNonce(cookies: SessionCookies, place: Place, nonce: string | null): string[] | null {
  if (nonce === null) return null
  const sent = parseCookies(place.headers?.get('cookie')).get(cookies.name(place, nameOf(nonce)))
  if (sent !== nonce) return null
  return [cookies.line(place, nameOf(nonce), '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 })]
}

const nameOf = (nonce: string): string => COOKIE + nonce.slice(0, 8)

function split(returnTo: string): { path: string; fragment: string } {
  const hash = returnTo.indexOf('#')
  return hash < 0 ? { path: returnTo, fragment: '' } : { path: returnTo.slice(0, hash), fragment: returnTo.slice(hash) }
}
