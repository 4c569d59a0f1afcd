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

const OPENID_PATH = '/edge/auth/:tenantId/oauth/:act{token|userinfo|revoke}'

interface OwnPages {
  readonly path: string
  readonly methods: (act: string) => readonly string[]
  readonly requestHeaders: readonly string[]
}

const OWN_PAGES: readonly OwnPages[] = [
  {
    path: PATH,
    methods: (act) => (act === 'providers' ? ['GET'] : ['POST']),
    requestHeaders: ['Content-Type', HEADERS.idempotencyKey],
  },
  {
    path: OPENID_PATH,
    methods: (act) => (act === 'userinfo' ? ['GET', 'POST'] : ['POST']),
    requestHeaders: ['Content-Type', 'Authorization'],
  },
]

/** Lets pages of the app itself call these: the origins of its registered callback URLs. */
export function edgeCors(app: App, deps: HttpDependencies): void {
  for (const pages of OWN_PAGES) {
    corsForOwnPages(app, deps, pages)
  }
}

function corsForOwnPages(
  app: App,
  { ctx }: HttpDependencies,
  { path, methods, requestHeaders }: OwnPages,
): void {
  app.use(path, async (c, next) => {
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

    c.set('route', path)
    const taken = methods(c.req.param('act') ?? '')
    const withHead = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    c.header('Allow', [...withHead, 'OPTIONS'].join(', '))
    if (allowed) {
      c.header('Access-Control-Allow-Methods', taken.join(', '))
      c.header('Access-Control-Allow-Headers', requestHeaders.join(', '))
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
