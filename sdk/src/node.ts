import { unreadableTarget } from './adapters/answers.ts'
import { createGateAtOnce, type GatehouseOptions } from './adapters/gate.ts'
import {
  addHeaders,
  type NodeRequest,
  type NodeResponse,
  sendResponse,
  toRequest,
} from './adapters/node-http.ts'
import type { Client } from './client.ts'
import { GatehouseError } from './service/errors.ts'
import type { Session } from './session/session.ts'
import type { RequestLike } from './types.ts'

export type NodeHandler = (
  req: NodeRequest,
  res: NodeResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'
export {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  sendResponse,
  toRequest,
} from './adapters/node-http.ts'

/**
 * A listener for `node:http`: `/login`, `/auth/callback`, `/logout`, protected paths, and your own listener with the session
 * for all other requests.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse } from '@gatehouse-auth/sdk/node'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * createServer(gatehouse({ client }, (_req, res, { user }) => res.end(`Hello, ${user?.name ?? 'stranger'}`)))
 * ```
 */
export function gatehouse<Req extends NodeRequest, Res extends NodeResponse>(
  options: GatehouseOptions,
  listener: (req: Req, res: Res, session: Session) => unknown,
): (req: Req, res: Res) => Promise<void> {
  const gate = createGateAtOnce(options)
  return async (req, res) => {
    try {
      // Express and Connect take the path of a mount out of `url`.
      const passage = await gate.pass(toRequest(req), { routed: [req.url?.split('?')[0]] })
      if (passage.response !== null) {
        return await sendResponse(passage.response, res)
      }
      // Before the listener runs, which may send the head: a cookie that is set later is lost, in Bun's `req.cookies` silently.
      addHeaders(res, passage)
      await listener(req, res, passage.session)
    } catch (error) {
      sendError(error, res, options.onError)
    }
  }
}

/** Without the message, which may be about a secret. It is for the log of the app; an outage is not: it ends by itself. */
function sendError(error: unknown, res: NodeResponse, onError?: GatehouseOptions['onError']): void {
  const isOurs = error instanceof GatehouseError
  if (isOurs && onError !== undefined) {
    onError(error)
  } else if (!isOurs || !error.retryable) {
    // biome-ignore lint/suspicious/noConsole: without a framework, the console is the log of the app
    console.error(error)
  }
  if (res.headersSent) {
    return void res.end()
  }
  res.statusCode = error instanceof GatehouseError && error.retryable ? 503 : 500
  res.end('Something went wrong. Please try again.')
}

/**
 * Converts a web-standard handler to a `(req, res, next)` handler.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { nodeHandler } from '@gatehouse-auth/sdk/node'
 *
 * createServer(nodeHandler((request) => new Response(`You asked for ${new URL(request.url).pathname}`)))
 * ```
 */
export function nodeHandler(
  handle: (request: RequestLike) => Response | Promise<Response>,
): NodeHandler {
  return async (req, res, next) => {
    try {
      const request = toRequest(req)
      const response = request.url === '' ? unreadableTarget() : await handle(request)
      await sendResponse(response, res)
    } catch (error) {
      if (next !== undefined) {
        return next(error)
      }
      sendError(error, res)
    }
  }
}

/**
 * `client.session` for a `(req, res)` server. Adds the session's `Set-Cookie` headers to `res`.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { nodeSession } from '@gatehouse-auth/sdk/node'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * createServer(async (req, res) => {
 *   const { user } = await nodeSession(client, req, res)
 *   res.end(user?.email ?? 'Sign in')
 * })
 * ```
 */
export async function nodeSession(
  client: Client,
  req: NodeRequest,
  res: NodeResponse,
): Promise<Session> {
  // Before the refresh: a pair whose cookies come too late would be lost.
  if (res.headersSent) {
    throw new Error('Call nodeSession before your response starts: it sets cookies.')
  }
  return client.session(toRequest(req), {
    refresh: true,
    setCookie: (line) => addHeaders(res, { setCookies: [line], cacheControl: null }),
  })
}
