import type { Fetch } from '../types.ts'

interface ConnectionOptions {
  readonly baseUrl: string
  readonly fetch?: Fetch | undefined
  readonly timeoutMs?: number | undefined
}

export interface Connection {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly timeoutMs: number
}

/** Checks the options of a client that say how to reach the service. */
export function readConnection(options: ConnectionOptions, defaultTimeoutMs: number): Connection {
  const { timeoutMs = defaultTimeoutMs } = options
  if (!(timeoutMs > 0 && timeoutMs <= 60_000)) {
    throw new TypeError('timeoutMs must be 1 to 60000.')
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs,
    // Read at each call, because frameworks and tests replace the global.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  // Neither credentials nor a query nor a fragment.
  const hasOnlyOriginAndPath = url !== null && url.href === url.origin + url.pathname
  if (!hasOnlyOriginAndPath || !url.protocol.startsWith('http')) {
    throw new TypeError(
      'baseUrl must be the address of the service, such as "https://login.example.com".',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** `fetch` with what requests of a server have besides. Apart, because bundles for browsers do without it. */
export function serverFetch(fetch: Fetch | undefined): Fetch {
  // For the operator's log. None in browsers: a custom `User-Agent` would need a CORS preflight.
  const userAgent: Record<string, string> =
    'document' in globalThis ? {} : { 'User-Agent': 'gatehouse-sdk/1' }
  // Some frameworks cache `fetch` responses. Some runtimes throw on the `cache` option, so it is set only where it exists.
  const hasCache = typeof Request !== 'undefined' && 'cache' in Request.prototype
  const noStore: RequestInit = hasCache ? { cache: 'no-store' } : {}
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, {
      ...init,
      ...noStore,
      headers: { ...userAgent, ...(init.headers as Record<string, string>) },
    })
    warnOnce(response.headers)
    return response
  }
}

let warned = false

/** The service announces with `Deprecation` (RFC 9745) that it will stop supporting a call which a newer SDK doesn't make. */
function warnOnce(headers: Headers): void {
  if (warned || !headers.has('deprecation')) {
    return
  }
  warned = true
  const sunset = headers.get('sunset')
  // biome-ignore lint/suspicious/noConsole: a message for the developer of the app.
  console.warn(
    `@gatehouse-auth/sdk: this version makes a call that the service will not support ${sunset === null ? 'in the future' : `after ${sunset}`}. Update it: npm install @gatehouse-auth/sdk@latest`,
  )
}

/** Throws in a browser, where every visitor could read the value. */
export function requireServer(name: string): void {
  if ('document' in globalThis) {
    throw new TypeError(`${name} must stay on your server. Do not pass it in a browser.`)
  }
}
