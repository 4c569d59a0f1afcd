import type { Fetch } from '../types.ts'

export interface ConnectionOptions {
  readonly baseUrl: string
  readonly fetch?: Fetch
  readonly timeoutMs?: number
}

export type Connection = Required<ConnectionOptions>

/** Checks the options of a client that say how to reach the service. */
export function readConnection(options: ConnectionOptions, defaultTimeoutMs: number): Connection {
  const { timeoutMs = defaultTimeoutMs } = options
  if (!(timeoutMs > 0 && timeoutMs <= 60_000)) throw new TypeError('timeoutMs must be 1 to 60000.')
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
    throw new TypeError('baseUrl must be the address of the service, such as "https://login.example.com".')
  }
  return url.href.replace(/\/+$/, '')
}
