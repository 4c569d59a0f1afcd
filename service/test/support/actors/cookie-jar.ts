interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: 'strict' | 'lax' | 'none'
  readonly expiresAt: number
}

/** What decides which cookies a request carries. */
interface CookieRequest {
  readonly url: URL
  readonly method: string
  /** The starting page is same-site, or the URL was typed into the address bar. */
  readonly sameSite: boolean
}

/**
 * A browser's cookies, with the rules our pages rely on: host (not port, as in real browsers), path, expiry, Secure,
 * SameSite and the `__Host-` and `__Secure-` prefixes. `Domain` throws: the service never sets it.
 */
export class CookieJar {
  readonly #now: () => number
  readonly #cookies = new Map<string, Cookie>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The `Cookie` header for a request, or null. Longer paths come first (RFC 6265, section 5.4). */
  header(request: CookieRequest): string | null {
    const sent = [...this.#cookies.values()]
      .filter((cookie) => this.#matches(cookie, request))
      .sort((a, b) => b.path.length - a.path.length)
    return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  /** Stores the `Set-Cookie` headers of a response from `url`. */
  keep(url: URL, setCookies: readonly string[]): void {
    for (const setCookie of setCookies) {
      const cookie = this.#parse(url, setCookie)
      if (cookie === null) {
        continue
      }
      const key = `${cookie.host} ${cookie.path} ${cookie.name}`
      if (cookie.expiresAt <= this.#now()) {
        this.#cookies.delete(key)
      } else {
        this.#cookies.set(key, cookie)
      }
    }
  }

  /** Every unexpired cookie. */
  list(): readonly Cookie[] {
    return [...this.#cookies.values()].filter(({ expiresAt }) => expiresAt > this.#now())
  }

  clear(): void {
    this.#cookies.clear()
  }

  #matches(cookie: Cookie, { url, method, sameSite }: CookieRequest): boolean {
    if (cookie.host !== url.hostname || cookie.expiresAt <= this.#now()) {
      return false
    }
    if (!covers(cookie.path, url.pathname)) {
      return false
    }
    if (cookie.secure && !isTrustworthy(url)) {
      return false
    }
    if (sameSite || cookie.sameSite === 'none') {
      return true
    }
    return cookie.sameSite === 'lax' && method === 'GET'
  }

  #parse(url: URL, setCookie: string): Cookie | null {
    const [pair = '', ...rest] = setCookie.split(';')
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals).trim()
    if (equals < 1 || name === '') {
      return null
    }

    const attributes = new Map(
      rest.map((attribute) => {
        const [key = '', ...value] = attribute.split('=')
        return [key.trim().toLowerCase(), value.join('=').trim()]
      }),
    )
    if (attributes.has('domain')) {
      throw new Error(`A cookie names a Domain: ${name}`)
    }

    const path = attributes.get('path')
    const secure = attributes.has('secure')
    const sameSite = attributes.get('samesite')?.toLowerCase()
    // A browser drops these silently; throwing shows the cause.
    if (secure && !isTrustworthy(url)) {
      throw new Error(`${url.origin} may not set a Secure cookie: ${name}`)
    }
    if (/^__(host|secure)-/i.test(name) && !secure) {
      throw new Error(`The prefix requires Secure: ${name}`)
    }
    if (/^__host-/i.test(name) && path !== '/') {
      throw new Error(`The prefix requires Path=/: ${name}`)
    }
    if (sameSite === 'none' && !secure) {
      throw new Error(`SameSite=None requires Secure: ${name}`)
    }

    return {
      name,
      value: pair.slice(equals + 1).trim(),
      host: url.hostname,
      path: path?.startsWith('/') ? path : defaultPath(url),
      secure,
      httpOnly: attributes.has('httponly'),
      sameSite: sameSite === 'strict' || sameSite === 'none' ? sameSite : 'lax',
      expiresAt: this.#expiry(attributes),
    }
  }

  #expiry(attributes: ReadonlyMap<string, string>): number {
    const maxAge = attributes.get('max-age')
    if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
      return this.#now() + Number(maxAge) * 1000
    }
    const expires = Date.parse(attributes.get('expires') ?? '')
    return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires
  }
}

/** Browsers treat localhost as a secure context. */
const isTrustworthy = (url: URL): boolean =>
  url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)

/** RFC 6265, section 5.1.4: `/a` covers `/a` and `/a/b`, and never `/ab`. */
const covers = (path: string, pathname: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)

const defaultPath = (url: URL): string =>
  url.pathname.slice(0, url.pathname.lastIndexOf('/')) || '/'
