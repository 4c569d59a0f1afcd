import { HEADERS } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'

const PATH = '/edge/auth/:tenantId/:act{token|verify|refresh|logout|id-token|link|providers}'
const EXPOSED = [
  HEADERS.apiVersion,
  HEADERS.requestId,
  HEADERS.rateLimit,
  HEADERS.rateLimitPolicy,
  HEADERS.retryAfter,
]

const DISCOVERY_PATH = '/edge/auth/:tenantId/.well-known/:document'

/** Lets every page read discovery and keys: they are public, and a page that checks ID tokens may be anywhere. */
export function discoveryCors(app: App): void {
  app.use(DISCOVERY_PATH, async (c, next) => {
    c.header('Access-Control-Allow-Origin', '*')
    if (c.req.method !== 'OPTIONS') {
      c.header('Access-Control-Expose-Headers', EXPOSED.join(', '))
      return next()
    }

    c.set('route', DISCOVERY_PATH)
    c.header('Allow', 'GET, HEAD, OPTIONS')
    c.header('Access-Control-Allow-Methods', 'GET')
    c.header('Access-Control-Max-Age', '86400')
    return c.body(null, 204)
  })
}

/** Lets pages of the app itself call these: the origins of its registered callback URLs. */
export function edgeCors(app: App, { ctx }: HttpDependencies): void {
  app.use(PATH, async (c, next) => {
    const origin = c.req.header('origin')
    const allowed = origin !== undefined && (await allows(c, origin))
    if (allowed) {
      c.header('Access-Control-Allow-Origin', origin)
    }
    c.header('Vary', 'Origin', { append: true })
    if (c.req.method !== 'OPTIONS') {
      if (allowed) {
        c.header('Access-Control-Expose-Headers', EXPOSED.join(', '))
      }
      return next()
    }
    c.set('route', PATH)
    const method = c.req.param('act') === 'providers' ? 'GET' : 'POST'
    c.header('Allow', method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS')
    if (allowed) {
      c.header('Access-Control-Allow-Methods', method)
      c.header('Access-Control-Allow-Headers', `Content-Type, ${HEADERS.idempotencyKey}`)
      c.header('Access-Control-Max-Age', '600')
    }
    return c.body(null, 204)
  })

  /** Allows no origin if the tenant is unknown or the database is unavailable; the request itself reports the error. */
  async function allows(c: Call, origin: string): Promise<boolean> {
    try {
      return await ctx.directory.allowsOrigin(c.req.param('tenantId') ?? '', origin)
    } catch (error) {
      if (error instanceof ApiError || error instanceof Unavailable) {
        return false
      }
      throw error
    }
  }
}
