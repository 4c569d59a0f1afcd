import { HEADERS } from '@gatehouse/contract'
import type { App, Call } from '../dependencies.ts'

const EXPOSED = ['WWW-Authenticate', HEADERS.retryAfter, HEADERS.requestId].join(', ')
/** What MCP clients in browsers send along, also to endpoints that do not read it. */
const HEADERS_TAKEN =
  'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id'

/**
 * Pages of any site may read the metadata and talk to these endpoints: there is no cookie in any of it, and what they
 * send is either public or a secret of their own. A method that is not there is said so, in OAuth's shape.
 */
export function allowAnyOrigin(app: App, path: string, method: 'GET' | 'POST'): void {
  const allowed = method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : ['POST', 'OPTIONS']
  app.use(path, async (c, next) => {
    c.set('route', path)
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Access-Control-Expose-Headers', EXPOSED)
    if (c.req.method === 'OPTIONS') {
      c.header('Allow', allowed.join(', '))
      c.header('Access-Control-Allow-Methods', allowed.join(', '))
      c.header('Access-Control-Allow-Headers', HEADERS_TAKEN)
      c.header('Access-Control-Max-Age', '86400')
      return c.body(null, 204)
    }
    if (allowed.includes(c.req.method)) return next()
    return methodNotAllowed(c, path, allowed)
  })
}

export function methodNotAllowed(c: Call, path: string, allowed: readonly string[]): Response {
  c.set('route', path)
  c.header('Allow', allowed.join(', '))
  noStoreHeaders(c)
  return c.json({ error: 'invalid_request', error_description: `This address takes ${allowed[0]}.` }, 405)
}

/** Answers that hold tokens, or say why there are none: for whoever asked, and for no cache (RFC 6749, section 5.1). */
export function noStoreHeaders(c: Call): void {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
}
