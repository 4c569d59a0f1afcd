import type { HeadersLike, TokenPair } from '../types.ts'
import {
  ACCESS_TOKEN_COOKIE,
  type CookieAttributes,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from './cookies.ts'

export interface CookieOptions {
  /** Default `gh_access` and `gh_refresh`. */
  readonly accessName?: string
  readonly refreshName?: string
  /**
   * Prefix the names with `__Host-`, so that a subdomain cannot set these cookies. Recommended in production; no effect
   * where cookies are not `Secure`.
   */
  readonly hostPrefix?: boolean
  /** Default true, except on `http://localhost`, where browsers would drop a `Secure` cookie. */
  readonly secure?: boolean
}

/** The parts of a request that cookies depend on. Without `url`, cookies are `Secure`. */
export interface RequestContext {
  readonly url?: string | undefined
  readonly headers?: HeadersLike | undefined
}

export interface CookieNames {
  readonly access: string
  readonly refresh: string
}

export interface SessionCookies {
  names(request: RequestContext): CookieNames
  read(request: RequestContext): { readonly accessToken: string | null; readonly refreshToken: string | null }
  /** `Set-Cookie` lines that store the pair. */
  store(request: RequestContext, tokens: TokenPair): string[]
  /** `Set-Cookie` lines that remove the token cookies the browser sent. */
  clear(request: RequestContext): string[]
  /** The name of a cookie, with the `__Host-` prefix where it applies. */
  name(request: RequestContext, name: string): string
  /** One `Set-Cookie` line, with the prefix and `Secure` where they apply. */
  serialize(request: RequestContext, name: string, value: string, attributes: CookieAttributes): string
}

export function sessionCookies(options: CookieOptions = {}): SessionCookies {
  const { accessName = 'gh_access', refreshName = 'gh_refresh', hostPrefix = false } = options
  const isSecure = (request: RequestContext): boolean => options.secure ?? !isPlainLoopback(request)

  const cookies: SessionCookies = {
    name: (request, name) => (hostPrefix && isSecure(request) ? `__Host-${name}` : name),
    serialize: (request, name, value, attributes) =>
      serializeCookie(cookies.name(request, name), value, { ...attributes, secure: isSecure(request) }),
    names: (request) => ({ access: cookies.name(request, accessName), refresh: cookies.name(request, refreshName) }),
    read(request) {
      const sent = parseCookies(request.headers?.get('cookie'))
      const { access, refresh } = cookies.names(request)
      return { accessToken: sent.get(access) || null, refreshToken: sent.get(refresh) || null }
    },
    store: (request, { accessToken, refreshToken }) => [
      cookies.serialize(request, accessName, accessToken, ACCESS_TOKEN_COOKIE),
      cookies.serialize(request, refreshName, refreshToken, REFRESH_TOKEN_COOKIE),
    ],
    clear(request) {
      const sent = parseCookies(request.headers?.get('cookie'))
      return [accessName, refreshName]
        .filter((name) => sent.has(cookies.name(request, name)))
        .map((name) => cookies.serialize(request, name, '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 }))
    },
  }
  return cookies
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True for plain http on the same machine. Behind a TLS proxy the URL may look the same, so `X-Forwarded-Proto: https`
 * overrides it; a forged header only makes the cookie stricter.
 */
function isPlainLoopback({ url, headers }: RequestContext): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) return false
  return !/^\s*https\b/i.test(headers?.get('x-forwarded-proto') ?? '')
}
