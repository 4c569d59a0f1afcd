/** In the shape that frameworks accept: `cookies.set(name, value, ACCESS_TOKEN_COOKIE)`. */
export interface CookieAttributes {
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
  readonly path: string
  /** Seconds. */
  readonly maxAge: number
}

/** The lifetime of an access token. */
export const ACCESS_TOKEN_SECONDS = 3_600

/**
 * Recommended attributes for the access token. `lax`, not `strict`: after a login the browser arrives from another site,
 * and would not send a strict cookie.
 */
export const ACCESS_TOKEN_COOKIE = {
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  path: '/',
  maxAge: ACCESS_TOKEN_SECONDS,
} as const satisfies CookieAttributes

/** Recommended attributes for the refresh token: the same, for 30 days. */
export const REFRESH_TOKEN_COOKIE = {
  ...ACCESS_TOKEN_COOKIE,
  maxAge: 2_592_000,
} as const satisfies CookieAttributes

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/
const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** Browsers silently drop a longer cookie (RFC 6265bis), and the user would never be signed in. */
const MAX_BYTES = 4_096

/**
 * One `Set-Cookie` value. Characters outside the cookie grammar throw a TypeError instead of being escaped: tokens never
 * contain them.
 *
 * @example
 * ```ts
 * import { ACCESS_TOKEN_COOKIE, serializeCookie } from '@gatehouse-auth/sdk'
 *
 * const line = serializeCookie('theme', 'dark', { ...ACCESS_TOKEN_COOKIE, httpOnly: false })
 * console.log(line) // theme=dark; Path=/; Max-Age=3600; Secure; SameSite=Lax
 * ```
 */
export function serializeCookie(name: string, value: string, attributes: CookieAttributes): string {
  if (!NAME.test(name)) {
    throw new TypeError(
      'A cookie name must consist of ASCII letters, digits and !#$%&*+-.^_|~, without spaces.',
    )
  }
  if (!VALUE.test(value)) {
    throw new TypeError(
      `The value of the cookie ${name} contains a character that cookies cannot hold.`,
    )
  }
  if (!PATH.test(attributes.path)) {
    throw new TypeError(`The path of the cookie ${name} must start with "/".`)
  }
  if (!Number.isSafeInteger(attributes.maxAge)) {
    throw new TypeError(`The maxAge of the cookie ${name} must be a whole number of seconds.`)
  }
  if (name.length + value.length > MAX_BYTES) {
    throw new TypeError(`The cookie ${name} is longer than browsers keep.`)
  }
  return [
    `${name}=${value}`,
    `Path=${attributes.path}`,
    `Max-Age=${attributes.maxAge}`,
    ...(attributes.httpOnly ? ['HttpOnly'] : []),
    ...(attributes.secure ? ['Secure'] : []),
    `SameSite=${SAME_SITE[attributes.sameSite]}`,
  ].join('; ')
}

/**
 * Parses a `Cookie` header. The first of two cookies with one name wins: browsers send the more specific path first.
 *
 * @example
 * ```ts
 * import { parseCookies } from '@gatehouse-auth/sdk'
 *
 * console.log(parseCookies('theme=dark; size=2').get('theme')) // dark
 * ```
 */
export function parseCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals < 0) {
      continue
    }
    const name = part.slice(0, equals).trim()
    if (name !== '' && !cookies.has(name)) {
      cookies.set(name, part.slice(equals + 1).trim())
    }
  }
  return cookies
}

/**
 * Applies `Set-Cookie` lines to the `Cookie` header of a request. For a middleware that refreshed a session: handlers
 * that run after it must read the new pair, because the old refresh token is spent.
 *
 * @example
 * ```ts
 * import { forwardCookies } from '@gatehouse-auth/sdk'
 *
 * const headers = forwardCookies(new Headers({ Cookie: 'gh_access=old; theme=dark' }), ['gh_access=new; Path=/'])
 * console.log(headers.get('cookie')) // gh_access=new; theme=dark
 * ```
 */
export function forwardCookies(headers: Headers, setCookies: readonly string[]): Headers {
  const forwarded = new Headers(headers)
  if (setCookies.length === 0) {
    return forwarded
  }
  const cookies = new Map(parseCookies(headers.get('cookie')))
  for (const line of setCookies) {
    const [pair = '', ...attributes] = line.split('; ')
    const equals = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) {
      cookies.delete(pair.slice(0, equals))
    } else {
      cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
  }
  const text = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  if (text === '') {
    forwarded.delete('cookie')
  } else {
    forwarded.set('cookie', text)
  }
  return forwarded
}
