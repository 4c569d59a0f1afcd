import { isLoopbackHost, isSystemScheme } from '../callbacks/host.ts'

const MAX_CHARACTERS = 2_048
/** Parameters of an authorization response. A URI that already has one would arrive with two. */
const RESERVED = new Set(['code', 'state', 'iss', 'error', 'error_description', 'error_uri'])

/** The problem with a redirect URI for registration, as a sentence; null for a valid one. */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_CHARACTERS) {
    return `A redirect URI may have ${MAX_CHARACTERS} characters.`
  }
  if (!/^[\x21-\x7e]+$/.test(uri)) {
    return 'A redirect URI has visible ASCII characters only; percent-encode the rest.'
  }
  // Browsers read \ as /, and keep a fragment in the redirect.
  if (/[\\#*]/.test(uri)) {
    return 'A redirect URI may not contain a backslash, a fragment (#) or a *.'
  }
  const [, scheme = '', rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/.exec(uri) ?? []
  const url = URL.parse(uri)
  if (scheme === '' || url === null) {
    return 'A redirect URI must be an absolute URI.'
  }
  if (isSystemScheme(scheme)) {
    return 'A redirect URI may not have a scheme that starts a program of the system.'
  }
  if (url.username !== '' || url.password !== '' || /^\/\/[^/?]*@/.test(rest)) {
    return 'A redirect URI may not name a user before its host.'
  }
  if ([...url.searchParams.keys()].some((name) => RESERVED.has(name.toLowerCase()))) {
    return 'A redirect URI may not have a query parameter that the answer uses itself (code, state, iss, error).'
  }
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    return webProblem(url, rest)
  }
  return rest === '' ? 'A redirect URI needs something after its scheme.' : null
}

/** The URL parser repairs `https:host` and `%65vil`. Such URIs are rejected, so that the consent page shows the real host. */
function webProblem(url: URL, rest: string): string | null {
  const authority = /^\/\/([^/?]+)/.exec(rest)?.[1]
  if (authority === undefined || authority.includes('%')) {
    return 'A redirect URI needs // and a plain host.'
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'A redirect URI must be https, or http on localhost, 127.0.0.1 or [::1], or have a scheme of the app itself.'
  }
  return null
}

/**
 * Byte for byte, with the exception for native apps: a loopback URI registered without a port matches any port (RFC 8252,
 * section 7.3).
 */
export const matchesRedirect = (registered: readonly string[], requested: string): boolean =>
  registered.includes(requested) || registered.some((uri) => differsInPortOnly(uri, requested))

/** A loopback http URI, split without normalization, because redirect URIs are compared byte for byte. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/
const PORT_MAX = 65_535

function differsInPortOnly(registered: string, requested: string): boolean {
  const [, host, port, rest] = LOOPBACK.exec(registered) ?? []
  const [, requestedHost, requestedPort, requestedRest] = LOOPBACK.exec(requested) ?? []
  if (host === undefined || port !== undefined || requestedPort === undefined) {
    return false
  }
  return host === requestedHost && rest === requestedRest && Number(requestedPort) <= PORT_MAX
}

/** Any program on the machine could be listening at such a URI. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname)
}

/** Appends the response to the query and leaves the rest of the URI unchanged, as registered. */
export function appendParameters(
  redirectUri: string,
  response: Readonly<Record<string, string | null>>,
): string {
  const given = Object.entries(response).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  )
  return `${redirectUri}${separatorAfter(redirectUri)}${new URLSearchParams(given)}`
}

function separatorAfter(redirectUri: string): string {
  if (!redirectUri.includes('?')) {
    return '?'
  }
  return /[?&]$/.test(redirectUri) ? '' : '&'
}
