import { HEADERS } from '@gatehouse-auth/contract'
import type { App, Call } from '../dependencies.ts'

const EXPOSED = ['WWW-Authenticate', HEADERS.retryAfter, HEADERS.requestId].join(', ')
/** Headers that MCP clients in browsers send, even to endpoints that ignore them. */
const ALLOWED_HEADERS =
  'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id'

/**
 * Allows any origin for one method of a path; other methods get 405 with an OAuth error. Any origin is safe here, because
 * these endpoints use no cookies: a page can send only public data and credentials that it already has.
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
      c.header('Access-Control-Allow-Headers', ALLOWED_HEADERS)
      c.header('Access-Control-Max-Age', '86400')
      return c.body(null, 204)
    }
    if (allowed.includes(c.req.method)) {
      return next()
    }
    return methodNotAllowed(c, path, allowed)
  })
}

export function methodNotAllowed(c: Call, path: string, allowed: readonly string[]): Response {
  c.set('route', path)
  c.header('Allow', allowed.join(', '))
  noStoreHeaders(c)
  return c.json(
    { error: 'invalid_request', error_description: `This address takes ${allowed[0]}.` },
    405,
  )
}

/** Prevents caching of responses that contain tokens or token errors (RFC 6749, section 5.1). */
export function noStoreHeaders(c: Call): void {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
}
