import { randomBase64Url, toBase64Url } from '../encoding.ts'
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
function storeLoginCookie(
  cookies: SessionCookies,
  request: RequestContext,
  login: string,
  value: string,
): string[] {
  const sent = sentLogins(cookies, request)
  const surplus = sent.slice(0, Math.max(0, sent.length - MAX_LOGINS + 1))
  return [
    ...surplus.map((rest) => removeLine(cookies, request, rest)),
    cookies.serialize(request, COOKIE_PREFIX + login, value, {
      ...ACCESS_TOKEN_COOKIE,
      maxAge: LOGIN_SECONDS,
    }),
  ]
}

/** The value of this login and the `Set-Cookie` lines that remove it; null when the request has no such cookie. */
function clearLoginCookie(
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

// Login CSRF: an attacker sends a victim to `/callback?access_token=<the attacker's>`, and the victim unknowingly works in
// the attacker's account (RFC 9700, section 4.7). So a login of the flow `tokens` stores a random nonce in a cookie and in
// return_to, which the service returns unchanged; a callback must have both.

const IN_RETURN_TO = /[?&]gh_nonce=([\w-]{22})$/
/** A login without a path to return to: the callback's `home` decides. */
const WITHOUT_RETURN_TO = /^\/\?gh_home=([\w-]{22})$/

export const newNonce = (): string => randomBase64Url(16)

/** Appends the nonce to the query, so that removing it restores the path byte for byte. null: no path to return to. */
export function withNonce(returnTo: string | null, nonce: string): string {
  if (returnTo === null) {
    return `/?gh_home=${nonce}`
  }
  const { path, fragment } = split(returnTo)
  return `${path}${path.includes('?') ? '&' : '?'}gh_nonce=${nonce}${fragment}`
}

export function extractNonce(returnTo: string): {
  readonly returnTo: string | null
  readonly nonce: string | null
} {
  const home = WITHOUT_RETURN_TO.exec(returnTo)
  if (home !== null) {
    return { returnTo: null, nonce: home[1] ?? null }
  }
  const { path, fragment } = split(returnTo)
  const found = IN_RETURN_TO.exec(path)
  if (found === null) {
    return { returnTo, nonce: null }
  }
  return { returnTo: path.slice(0, found.index) + fragment, nonce: found[1] ?? null }
}

/** `Set-Cookie` lines that store the nonce, and remove the oldest logins beyond the maximum. */
export const storeNonce = (
  cookies: SessionCookies,
  request: RequestContext,
  nonce: string,
): string[] => storeLoginCookie(cookies, request, nonce, '1')

/** `Set-Cookie` lines that remove the nonce, or null when the request has no cookie with this nonce. */
export const consumeNonce = (
  cookies: SessionCookies,
  request: RequestContext,
  nonce: string | null,
): string[] | null =>
  nonce === null ? null : (clearLoginCookie(cookies, request, nonce)?.setCookies ?? null)

function split(returnTo: string): { path: string; fragment: string } {
  const hash = returnTo.indexOf('#')
  return hash < 0
    ? { path: returnTo, fragment: '' }
    : { path: returnTo.slice(0, hash), fragment: returnTo.slice(hash) }
}

// The verifier of a login is in a cookie of the browser that started it, so a code that an attacker sends to a victim's
// browser cannot be exchanged there (login CSRF; RFC 9700, section 4.7), and a code in a log or history is useless.

const HINT_CHARACTERS = 8

interface LoginVerifier {
  readonly verifier: string
  readonly challenge: string
}

export async function newVerifier(): Promise<LoginVerifier> {
  const verifier = randomBase64Url(32)
  return { verifier, challenge: await sha256(verifier) }
}

/** An `Idempotency-Key` that every process of the app derives: a callback that is opened twice gets one pair. */
export const exchangeKey = (verifier: string): Promise<string> => sha256(`exchange ${verifier}`)

/** A code carries the start of the challenge that it belongs to: it names the cookie. */
const hintOf = (challenge: string): string => challenge.slice(0, HINT_CHARACTERS)

/** `Set-Cookie` lines that store the verifier, and remove the oldest logins beyond the maximum. */
export const storeVerifier = (
  cookies: SessionCookies,
  request: RequestContext,
  { verifier, challenge }: LoginVerifier,
): string[] => storeLoginCookie(cookies, request, hintOf(challenge), verifier)

/** The verifier of this code, and the lines that remove its cookie; null in a browser that did not start the login. */
export function consumeVerifier(
  cookies: SessionCookies,
  request: RequestContext,
  { hint }: { readonly hint: string },
): { readonly verifier: string; readonly setCookies: string[] } | null {
  const cleared = clearLoginCookie(cookies, request, hint)
  return cleared && { verifier: cleared.value, setCookies: cleared.setCookies }
}

async function sha256(text: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  )
}
