import { withAdditions } from './adapters/additions.ts'
import { createGateAtOnce, type GatehouseOptions } from './adapters/gate.ts'
import { recallUser, rememberUser } from './adapters/request-user.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of Hono's `Context` that is used. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request
    readonly path?: string
    /** The pattern with which this middleware was added, below that of its router. */
    readonly routePath?: string
  }
  res: Response
}

export type HonoMiddleware = (
  c: HonoContext,
  next: () => Promise<void>,
) => Promise<Response | undefined>

/**
 * Hono middleware: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected paths. The user
 * is `userOf(c)`.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse, userOf } from '@gatehouse-auth/sdk/hono'
 * import { Hono } from 'hono'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const app = new Hono()
 * app.use(gatehouse({ client, protect: ['/notes'] }))
 * app.get('/notes', (c) => c.text(`Notes of ${userOf(c)?.email}`))
 * ```
 */
export function gatehouse(options: GatehouseOptions): HonoMiddleware {
  const gate = createGateAtOnce(options)
  return async (c, next) => {
    const passage = await gate.pass(c.req.raw, {
      routed: [c.req.path],
      mount: literalOf(c.req.routePath),
    })
    if (passage.response !== null) {
      return passage.response
    }
    rememberUser(c, passage.session.user)
    await next()
    // Afterwards, when `c.res` is the handler's response: Hono drops earlier headers if the handler returns a `Response`.
    const added = withAdditions(c.res, passage)
    if (added !== c.res) {
      // Hono would put the headers of the response before it over those of a second one.
      Object.assign(c, { res: undefined })
      c.res = added
    }
    return undefined
  }
}

/** The part of a pattern before its first parameter or wildcard. */
const literalOf = (pattern: string | undefined): string | undefined =>
  pattern?.split(/\/[^/]*[*:({]/)[0]

/**
 * The signed-in user of a request that passed `gatehouse`, or null.
 *
 * @example
 * ```ts
 * import { userOf } from '@gatehouse-auth/sdk/hono'
 * import { Hono } from 'hono'
 *
 * new Hono().get('/notes', (c) => c.text(`Notes of ${userOf(c)?.email}`))
 * ```
 */
export const userOf = (c: HonoContext): User | null => recallUser(c)
