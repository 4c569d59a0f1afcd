import {
  ACCESS_TOKEN_COOKIE,
  type CookieAttributes,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from './cookies.ts'
import type { HeadersLike, TokenPair } from './types.ts'

export interface CookieOptions {
  /** Default `gh_access` and `gh_refresh`. */
  readonly accessName?: string
  readonly refreshName?: string
  /**
   * Prefix the names with `__Host-`, so that no sub-domain can plant a cookie of its own. Recommended in production;
   * without effect where cookies are not `Secure`.
   */
  readonly hostPrefix?: boolean
  /** Default: on, except on `http://localhost`, where browsers would drop the cookie. */
  readonly secure?: boolean
}

/** Where a request came to. Without an address, it is taken to be a public one. */
export interface Place {
  readonly url?: string | undefined
  readonly headers?: HeadersLike | undefined
}

export interface CookieNames {
  readonly access: string
  readonly refresh: string
}

export interface SessionCookies {
  names(place: Place): CookieNames
  read(place: Place): { readonly accessToken: string | null; readonly refreshToken: string | null }
  /** `Set-Cookie` lines that store the pair. */
  store(place: Place, tokens: TokenPair): string[]
  /** `Set-Cookie` lines that remove whatever of the pair the browser sent. */
  clear(place: Place): string[]
  /** Any other cookie of ours, with the same prefix and the same care. */
  name(place: Place, name: string): string
  line(place: Place, name: string, value: string, attributes: CookieAttributes): string
}

const REMOVED = 0

export function sessionCookies(options: CookieOptions = {}): SessionCookies {
  const { accessName = 'gh_access', refreshName = 'gh_refresh', hostPrefix = false } = options
  const isSecure = (place: Place): boolean => options.secure ?? !isPlainLoopback(place)

  const cookies: SessionCookies = {
    name: (place, name) => (hostPrefix && isSecure(place) ? `__Host-${name}` : name),
    line: (place, name, value, attributes) =>
      serializeCookie(cookies.name(place, name), value, { ...attributes, secure: isSecure(place) }),
    names: (place) => ({ access: cookies.name(place, accessName), refresh: cookies.name(place, refreshName) }),
    read(place) {
      const sent = parseCookies(place.headers?.get('cookie'))
      const { access, refresh } = cookies.names(place)
      return { accessToken: sent.get(access) || null, refreshToken: sent.get(refresh) || null }
    },
    store: (place, { accessToken, refreshToken }) => [
      cookies.line(place, accessName, accessToken, ACCESS_TOKEN_COOKIE),
      cookies.line(place, refreshName, refreshToken, REFRESH_TOKEN_COOKIE),
    ],
    clear(place) {
      const sent = parseCookies(place.headers?.get('cookie'))
      return [accessName, refreshName]
        .filter((name) => sent.has(cookies.name(place, name)))
        .map((name) => cookies.line(place, name, '', { ...ACCESS_TOKEN_COOKIE, maxAge: REMOVED }))
    },
  }
  return cookies
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A browser on the same machine over plain http. Behind a proxy that speaks https the address may look the same; then
 * the proxy says so, and a lie would only make the cookie stricter.
 */
function isPlainLoopback({ url, headers }: Place): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) return false
  return !/^\s*https\b/i.test(headers?.get('x-forwarded-proto') ?? '')
}
