import { InvalidReturnToError } from '../service/errors.ts'
import type { RequestLike } from '../types.ts'

/**
 * A redirect without a body. 303 turns any method into GET; `no-store` keeps it out of caches; `no-referrer` keeps the
 * current URL, which may contain tokens, out of the `Referer` header.
 */
export function redirect(
  location: string,
  setCookies: readonly string[] = [],
  status: 303 | 307 = 303,
): Response {
  const headers = new Headers({
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  })
  for (const line of setCookies) {
    headers.append('Set-Cookie', line)
  }
  return new Response(null, { status, headers })
}

export const methodNotAllowed = (allow: string): Response =>
  new Response(null, { status: 405, headers: { Allow: allow, 'Cache-Control': 'no-store' } })

/**
 * True for a POST, PUT, PATCH or DELETE that a page of another origin sent. Its cookies may be there all the same: `SameSite`
 * counts all subdomains and ports of a site as one. A program sends neither header. A proxy may change the host.
 */
export function isOfAnotherOrigin(
  { method, url, headers }: RequestLike,
  trustedOrigins: readonly string[] | undefined = [],
): boolean {
  const origin = headers.get('origin')
  if (SAFE_METHODS.includes(method) || (origin !== null && trustedOrigins.includes(origin))) {
    return false
  }
  const site = headers.get('sec-fetch-site')
  if (site !== null) {
    return site !== 'same-origin' && site !== 'none'
  }
  if (origin === null) {
    return false
  }
  const hosts = [
    new URL(url).host,
    headers.get('host'),
    headers.get('x-forwarded-host')?.split(',')[0],
  ]
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host)
}

/**
 * The answer to the CORS preflight of a trusted origin, or null for any other request. Browsers send it without cookies, before a
 * PUT, PATCH or DELETE. The app must not see it on a protected path: a handler of all methods would run without a user.
 */
export function preflightAnswer(
  { method, headers }: RequestLike,
  trustedOrigins: readonly string[] = [],
): Response | null {
  const origin = headers.get('origin') ?? ''
  const wanted = headers.get('access-control-request-method')
  if (method !== 'OPTIONS' || wanted === null || !trustedOrigins.includes(origin)) {
    return null
  }
  const names = headers.get('access-control-request-headers')
  const allowed = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': wanted,
    ...(names !== null && { 'Access-Control-Allow-Headers': names }),
  }
  return new Response(null, { status: 204, headers: { ...allowed, 'Cache-Control': 'no-store' } })
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

export const otherOrigin = (): Response =>
  new Response(
    'This request came from a page of another origin, so it was not carried out. The app can allow that origin: trustedOrigins.',
    {
      status: 403,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    },
  )

const MAX_CHARACTERS = 1_024
const ENCODED_MAX_CHARACTERS = 3 * MAX_CHARACTERS
/** Or a lone surrogate, which a URL cannot contain, or U+FFFD, which stands for bytes that were no UTF-8. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}\ufffd]/u

/** A reserved host name (RFC 2606): a path that resolves to another origin leaves the app. */
const PLACEHOLDER_ORIGIN = 'https://app.invalid'

/** A second slash that is percent-encoded or preceded by tabs or line breaks, which browsers remove. */
const HIDDEN_SECOND_SLASH = /^\/(?:%0[9ad])*(?:[/\\]|%2f|%5c)/i

/** Why this is not a path inside the app, or null when it is. The service applies the same rule. */
export function returnToProblem(raw: string): string | null {
  if (raw.length > MAX_CHARACTERS) {
    return `It is ${raw.length} characters long; at most ${MAX_CHARACTERS} are allowed.`
  }
  if (!raw.startsWith('/')) {
    return 'It must be a path inside your app that starts with "/", such as "/dashboard".'
  }
  if (CONTROL_CHARACTER.test(raw)) {
    return 'It contains a control character or broken text.'
  }
  if (encodedLength(raw) > ENCODED_MAX_CHARACTERS) {
    return 'It is too long once it is percent-encoded.'
  }
  if (raw.includes('\\')) {
    return 'It contains a backslash. Use "/".'
  }

  // `/..//evil.test` has one leading slash until its dot segments are resolved, so check the resolved path too.
  const resolved = URL.canParse(raw, PLACEHOLDER_ORIGIN) ? new URL(raw, PLACEHOLDER_ORIGIN) : null
  if (resolved === null || resolved.origin !== PLACEHOLDER_ORIGIN) {
    return OTHER_SITE
  }
  if (HIDDEN_SECOND_SLASH.test(raw) || HIDDEN_SECOND_SLASH.test(resolved.pathname)) {
    return OTHER_SITE
  }
  return null
}

export function requireReturnTo(returnTo: string): string {
  const problem = returnToProblem(returnTo)
  if (problem !== null) {
    throw new InvalidReturnToError(`returnTo cannot be used. ${problem}`)
  }
  return returnTo
}

/** The path as a `Location` header value: non-ASCII characters are percent-encoded. */
export function toLocation(path: string): string {
  const { pathname, search, hash } = new URL(requireReturnTo(path), PLACEHOLDER_ORIGIN)
  return pathname + search + hash
}

const encodedLength = (text: string): number =>
  new URLSearchParams([['', text]]).toString().length - '='.length

const OTHER_SITE = 'It leads to another site.'
