import { HEADERS } from '@gatehouse/contract'
import type { Call } from '../dependencies.ts'
import { allowsOrigin } from './allowed-origins.ts'

/** What clients in browsers send, those of both protocol eras. */
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

/** A client in a browser cannot begin to sign in when it may not read the challenge. */
const EXPOSED = ['WWW-Authenticate', HEADERS.retryAfter, HEADERS.requestId]

/** On every answer, refusals included; without credentials, because no cookie opens anything here. */
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
