/** As frameworks take them: `cookies.set(name, value, ACCESS_TOKEN_COOKIE)`. */
export interface CookieAttributes {
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
  readonly path: string
  /** Seconds. */
  readonly maxAge: number
}

/**
 * What is recommended for the access token. `lax` and not `strict`: the browser comes back from another site when
 * somebody has signed in, and a strict cookie would stay behind.
 */
export const ACCESS_TOKEN_COOKIE = {
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  path: '/',
  maxAge: 3_600,
} as const satisfies CookieAttributes

/** What is recommended for the refresh token: the same, for 30 days. */
export const REFRESH_TOKEN_COOKIE = { ...ACCESS_TOKEN_COOKIE, maxAge: 2_592_000 } as const satisfies CookieAttributes

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/
const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** Browsers drop a longer one without a word, and the person would never be signed in. */
const MAX_BYTES = 4_096

/**
 * One `Set-Cookie` line. Whatever could end the value and begin something else is refused, not escaped: tokens never
 * hold such characters.
 *
 * ```ts
 * serializeCookie('theme', 'dark', { ...ACCESS_TOKEN_COOKIE, httpOnly: false })
 * // theme=dark; Path=/; Max-Age=3600; Secure; SameSite=Lax
 * ```
 */
export function serializeCookie(name: string, value: string, attributes: CookieAttributes): string {
  if (!NAME.test(name)) throw new TypeError('A cookie name holds letters, digits and few signs, no spaces.')
  if (!VALUE.test(value))
    throw new TypeError(`The value of the cookie ${name} has characters that a cookie cannot hold.`)
  if (!PATH.test(attributes.path)) throw new TypeError(`The path of the cookie ${name} must start with "/".`)
  if (!Number.isSafeInteger(attributes.maxAge)) throw new TypeError(`The cookie ${name} needs whole seconds as maxAge.`)
  if (name.length + value.length > MAX_BYTES) throw new TypeError(`The cookie ${name} is longer than browsers keep.`)
  return [
    `${name}=${value}`,
    `Path=${attributes.path}`,
    `Max-Age=${attributes.maxAge}`,
    ...(attributes.httpOnly ? ['HttpOnly'] : []),
    ...(attributes.secure ? ['Secure'] : []),
    `SameSite=${SAME_SITE[attributes.sameSite]}`,
  ].join('; ')
}

/** The `Cookie` header, read. Of two cookies with one name the first counts: browsers send the closest one first. */
export function parseCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const name = part.slice(0, equals).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, part.slice(equals + 1).trim())
  }
  return cookies
}
