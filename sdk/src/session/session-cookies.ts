import { randomBase64Url } from '../encoding.ts'
import type { HeadersLike, TokenPair } from '../types.ts'
import {
  ACCESS_TOKEN_COOKIE,
  type CookieAttributes,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from './cookies.ts'

export interface CookieOptions {
  /**
   * Default `gh_access`, `gh_refresh`, `gh_bind`, and `gh_session` if the client has a `store`. On `http://localhost`, where
   * all ports share their cookies, names that start with `gh_` have your project, too: `gh_swift-fox-running-k3qd_access`.
   */
  readonly accessName?: string | undefined
  readonly refreshName?: string | undefined
  readonly bindName?: string | undefined
  readonly sessionName?: string | undefined
  /**
   * Prefix the names with `__Host-`, so that a subdomain cannot set these cookies. Recommended in production; no effect
   * where cookies are not `Secure`.
   */
  readonly hostPrefix?: boolean | undefined
  /** Default true, except on `http://localhost`, where browsers would drop a `Secure` cookie. */
  readonly secure?: boolean | undefined
}

/** The parts of a request that cookies depend on. Without `url`, the `Host` header decides. */
export interface RequestContext {
  readonly url?: string | undefined
  readonly headers?: HeadersLike | undefined
}

export interface CookieNames {
  readonly access: string
  readonly refresh: string
  readonly bind: string
  readonly session: string
}

export interface SentCookies {
  readonly accessToken: string | null
  readonly refreshToken: string | null
  /** 16 random bytes, set at the callback. They bind the idempotency key of a refresh to this browser. */
  readonly bind: string | null
}

export interface SessionCookies {
  names(request: RequestContext): CookieNames
  read(request: RequestContext): SentCookies
  /** The value of one cookie of this request, or null. `name` has neither prefix nor project. */
  value(request: RequestContext, name: string): string | null
  /** `Set-Cookie` lines that store the pair. `bind`: default the one that the browser sent, else a new one. */
  store(request: RequestContext, tokens: TokenPair, bind?: string): string[]
  /** `Set-Cookie` lines that remove the cookies of the session that the browser sent. */
  clear(request: RequestContext): string[]
  /** The name of a cookie, with the `__Host-` prefix and the project where they apply. */
  name(request: RequestContext, name: string): string
  /** One `Set-Cookie` line, with the prefix and `Secure` where they apply. */
  serialize(
    request: RequestContext,
    name: string,
    value: string,
    attributes: CookieAttributes,
  ): string
}

/** `bound`: the client has a secret, so `gh_bind` is set and read. */
export function sessionCookies(
  tenantId: string,
  options: CookieOptions = {},
  bound = false,
): SessionCookies {
  const { hostPrefix = false, accessName = 'gh_access', refreshName = 'gh_refresh' } = options
  const { bindName = 'gh_bind', sessionName = 'gh_session' } = options
  const isSecure = (request: RequestContext): boolean => options.secure ?? !isPlainLoopback(request)

  const cookies: SessionCookies = {
    name: (request, name) => {
      // Browsers send a cookie to every port of a host. Another app there would end the session, and remove its cookies.
      const own = isPlainLoopback(request) ? name.replace(/^gh_/, `gh_${tenantId}_`) : name
      return hostPrefix && isSecure(request) ? `__Host-${own}` : own
    },
    serialize: (request, name, value, attributes) =>
      serializeCookie(cookies.name(request, name), value, {
        ...attributes,
        secure: isSecure(request),
      }),
    names: (request) => ({
      access: cookies.name(request, accessName),
      refresh: cookies.name(request, refreshName),
      bind: cookies.name(request, bindName),
      session: cookies.name(request, sessionName),
    }),
    value: (request, name) =>
      parseCookies(request.headers?.get('cookie')).get(cookies.name(request, name)) || null,
    read(request) {
      const bind = bound ? cookies.value(request, bindName) : null
      return {
        accessToken: cookies.value(request, accessName),
        refreshToken: cookies.value(request, refreshName),
        bind: bind !== null && BIND.test(bind) ? bind : null,
      }
    },
    store: (
      request,
      { accessToken, refreshToken },
      bind = cookies.read(request).bind ?? newBind(),
    ) => [
      cookies.serialize(request, accessName, accessToken, ACCESS_TOKEN_COOKIE),
      cookies.serialize(request, refreshName, refreshToken, REFRESH_TOKEN_COOKIE),
      ...(bound ? [cookies.serialize(request, bindName, bind, REFRESH_TOKEN_COOKIE)] : []),
    ],
    clear: (request) =>
      [accessName, refreshName, bindName, sessionName]
        .filter((name) =>
          parseCookies(request.headers?.get('cookie')).has(cookies.name(request, name)),
        )
        .map((name) => cookies.serialize(request, name, '', { ...ACCESS_TOKEN_COOKIE, maxAge: 0 })),
  }
  return cookies
}

const BIND = /^[\w-]{22}$/
export const newBind = (): string => randomBase64Url(16)

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True for plain http on the same machine. Behind a TLS proxy the URL may look the same, so `X-Forwarded-Proto: https`
 * overrides it; a forged header only makes the cookie stricter.
 */
export function isPlainLoopback({ url, headers }: RequestContext): boolean {
  // Pages of Next.js have headers but no URL. Without this they would look for another name than the callback set.
  const origin = url ?? `http://${headers?.get('host')}`
  if (!URL.canParse(origin)) {
    return false
  }
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) {
    return false
  }
  return !/^\s*https\b/i.test(headers?.get('x-forwarded-proto') ?? '')
}
