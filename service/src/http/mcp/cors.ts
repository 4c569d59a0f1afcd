import { HEADERS } from '@gatehouse-auth/contract'
import { isLoopback } from '../../domain/callbacks/host.ts'
import type { Call } from '../dependencies.ts'

/** Request headers of browser clients, of both protocol versions. */
const REQUEST_HEADERS =
  'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id'

/** A browser client must be able to read the challenge to start a sign-in. */
const EXPOSED = ['WWW-Authenticate', HEADERS.retryAfter, HEADERS.requestId]

/** Sets CORS headers on every response, errors included. Without credentials, because /mcp accepts no cookies. */
export function allowCrossOrigin(c: Call, baseUrl: string): void {
  c.header('Vary', 'Origin', { append: true })
  if (c.req.method === 'OPTIONS') {
    c.header('Allow', 'POST, OPTIONS')
  }
  const origin = c.req.header('origin')
  if (origin === undefined || !allowsOrigin(origin, baseUrl)) {
    return
  }
  c.header('Access-Control-Allow-Origin', origin)
  c.header('Access-Control-Expose-Headers', EXPOSED.join(', '))
  if (c.req.method !== 'OPTIONS') {
    return
  }
  c.header('Access-Control-Allow-Methods', 'POST, OPTIONS')
  c.header('Access-Control-Allow-Headers', REQUEST_HEADERS)
  c.header('Access-Control-Max-Age', '600')
}

/** Origins of MCP clients that run in a browser or send such an origin, as Claude Desktop does with claude.ai. */
const CLIENT_ORIGINS =
  /^https:\/\/(?:claude\.ai|claude\.com|chatgpt\.com|vscode\.dev|insiders\.vscode\.dev|github\.dev)$/

/**
 * Prevents foreign web pages from calling /mcp, for example on a server on the user's machine (MCP, Streamable HTTP, Security
 * Warning): a page cannot omit its Origin header. The check and the CORS headers both use this function, so they agree.
 * `null` is rejected, because any sandboxed page has that origin.
 */
export function allowsOrigin(origin: string, baseUrl: string): boolean {
  if (CLIENT_ORIGINS.test(origin) || origin === new URL(baseUrl).origin) {
    return true
  }
  const url = URL.parse(origin)
  return url !== null && url.origin === origin && isLoopback(url)
}
