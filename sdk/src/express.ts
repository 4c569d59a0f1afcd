import { createGateAtOnce, type Gate, type GatehouseOptions } from './adapters/gate.ts'
import {
  addHeaders,
  type NodeRequest,
  type NodeResponse,
  sendResponse,
  toRequest,
} from './adapters/node-http.ts'
import { recallUser, rememberUser } from './adapters/request-user.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of Express's request that is used. */
export interface ExpressRequest extends NodeRequest {
  /** The path that Express chooses a route by, below `baseUrl`. */
  readonly path?: string | null | undefined
  /** Where the router is mounted that runs this middleware. */
  readonly baseUrl?: string | undefined
}

export type ExpressMiddleware = (
  req: ExpressRequest,
  res: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Express middleware: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected paths. The
 * user is in `res.locals.user` and `userOf(req)`.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'
 * import express from 'express'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const app = express()
 * app.use(gatehouse({ client, protect: ['/notes'] }))
 * app.get('/notes', (req, res) => res.send(`Notes of ${userOf(req)?.email}`))
 * ```
 */
export function gatehouse(options: GatehouseOptions): ExpressMiddleware {
  const gate = createGateAtOnce(options)
  return async (req, res, next) => {
    try {
      const passage = await gate.pass(toRequest(req), {
        routed: routedBy(req),
        mount: req.baseUrl,
      })
      if (passage.response !== null) {
        return await sendResponse(passage.response, res)
      }
      // Before the handler runs, which may send the head: a cookie that is set later is lost, in Bun's `req.cookies` silently.
      addHeaders(res, passage)
      const { user } = passage.session
      rememberUser(req, user)
      gates.set(req, gate)
      const { locals } = res as { readonly locals?: { user?: User | null } }
      if (locals !== undefined) {
        locals.user = user
      }
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/** The path that Express chooses a route by: in its router, and in the whole app. */
function routedBy(req: ExpressRequest): string[] {
  const { baseUrl = '' } = req
  const path = req.path ?? '/'
  return [path, baseUrl + path]
}

/** The gate that a request passed. */
const gates = new WeakMap<NodeRequest, Gate>()

/**
 * Guards one route, where the path says nothing of who may open it: a visitor is asked to sign in and returns to the route, a
 * script gets 401. After `gatehouse`.
 *
 * @example
 * ```ts
 * import { gatehouse, requireUser, userOf } from '@gatehouse-auth/sdk/express'
 * import express from 'express'
 *
 * const app = express()
 * app.use(gatehouse({}))
 * app.get('/orders/:id', requireUser(), (req, res) => res.send(`Order of ${userOf(req)?.email}`))
 * ```
 */
export function requireUser(): ExpressMiddleware {
  return async (req, res, next) => {
    try {
      const gate = gates.get(req)
      if (gate === undefined) {
        throw new Error('Install gatehouse() before requireUser().')
      }
      if (userOf(req) === null) {
        return await sendResponse(await gate.refuse(toRequest(req)), res)
      }
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/**
 * The signed-in user of a request that passed `gatehouse`, or null.
 *
 * @example
 * ```ts
 * import { userOf } from '@gatehouse-auth/sdk/express'
 * import express from 'express'
 *
 * express().get('/notes', (req, res) => res.send(`Notes of ${userOf(req)?.email}`))
 * ```
 */
export const userOf = (req: NodeRequest): User | null => recallUser(req)
