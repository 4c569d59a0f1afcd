import { HEADERS } from '@gatehouse/contract'
import type { Call } from '../dependencies.ts'
import { allowsOrigin } from './allowed-origins.ts'

/** Request headers of browser clients, of both protocol versions. */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
]

/** A browser client must be able to read the challenge to start a sign-in. */
const EXPOSED = ['WWW-Authenticate', HEADERS.retryAfter, HEADERS.requestId]

/** Sets CORS headers on every response, errors included. Without credentials, because /mcp accepts no cookies. */
export function allowCrossOrigin(c: Call, baseUrl: string): void {
  c.header('Vary', 'Origin', { append: true })
  if (c.req.method === 'OPTIONS') c.header('Allow', 'POST, OPTIONS')
  const origin = c.req.header('origin')
  if (origin === undefined || !allowsOrigin(origin, baseUrl)) return
  c.header('Access-Control-Allow-Origin', origin)
  c.header('Access-Control-Expose-Headers', EXPOSED.join(', '))
  if (c.req.method !== 'OPTIONS') return
  c.header('Access-Control-Allow-Methods', 'POST, OPTIONS')
  c.header('Access-Control-Allow-Headers', REQUEST_HEADERS.join(', '))
  c.header('Access-Control-Max-Age', '600')
}
