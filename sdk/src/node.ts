import { createGate, type GatehouseOptions } from './adapters/gate.ts'
import type { Client } from './client.ts'
import { GatehouseError } from './service/errors.ts'
import type { Session } from './session/session.ts'
import type { RequestLike } from './types.ts'

/** The subset of `node:http`'s `IncomingMessage` that is read. Express's request has it; in Fastify it is `request.raw`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express: the URL before routers removed their mount path. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly socket?: object | null | undefined
}

/** The subset of `node:http`'s `ServerResponse` that is used. In Fastify it is `reply.raw`. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  getHeader(name: string): string | number | readonly string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
  end(body?: string): unknown
}

export type NodeHandler = (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => Promise<void>

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/**
 * A listener for `node:http`: `/login`, `/auth/callback`, `/logout`, protected paths, and your own listener with the session
 * for all other requests.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createClient } from '@gatehouse/sdk'
 * import { gatehouse } from '@gatehouse/sdk/node'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * createServer(gatehouse({ client }, (_req, res, { user }) => res.end(`Hello, ${user?.name ?? 'stranger'}`)))
 * ```
 */
export function gatehouse<Req extends NodeRequest, Res extends NodeResponse>(
  options: GatehouseOptions,
  listener: (req: Req, res: Res, session: Session) => unknown,
): (req: Req, res: Res) => Promise<void> {
  const gate = createGate(options)
  return async (req, res) => {
    try {
      const passage = await gate.pass(toRequest(req))
      if (passage.response !== null) return await sendResponse(passage.response, res)
      // Before the listener runs, which may send the head: a cookie that is set later is lost, in Bun's `req.cookies` silently.
      appendCookies(res, passage.setCookies)
      await listener(req, res, passage.session)
    } catch (error) {
      sendError(error, res)
    }
  }
}

/** Without the message, which may be about a secret. */
function sendError(error: unknown, res: NodeResponse): void {
  if (res.headersSent) return void res.end()
  res.statusCode = error instanceof GatehouseError && error.retryable ? 503 : 500
  res.end('Something went wrong. Please try again.')
}

/** Converts a Node request to the `RequestLike` that this package takes. The body is not read. */
export function toRequest(req: NodeRequest): RequestLike {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || name.startsWith(':')) continue
    headers.set(name, typeof value === 'string' ? value : value.join(name === 'cookie' ? '; ' : ', '))
  }
  const encrypted = (req.socket as { readonly encrypted?: unknown } | null | undefined)?.encrypted === true
  const host = String(headers.get('host') ?? req.headers[':authority'])
  const origin = `${encrypted ? 'https' : 'http'}://${host}`
  const isHost = /^[\w.[\]:-]+$/.test(host) && URL.canParse(origin)
  // Concatenated, not resolved: a request target of `//other.example/` must stay a path of this host.
  const url = (isHost ? origin : 'http://host.invalid') + pathOf(req.originalUrl ?? req.url ?? '/')
  return { method: req.method ?? 'GET', url, headers }
}

/** A request target may be in absolute form (RFC 9112, section 3.2.2). */
function pathOf(path: string): string {
  if (path.startsWith('/')) return path
  if (!URL.canParse(path)) return '/'
  const { pathname, search } = new URL(path)
  return pathname + search
}

/**
 * Converts a web-standard handler to a `(req, res, next)` handler.
 *
 * ```ts
 * app.get('/callback', nodeHandler((request) => handleCallback(request, { client })))
 * ```
 */
export function nodeHandler(handle: (request: RequestLike) => Response | Promise<Response>): NodeHandler {
  return async (req, res, next) => {
    try {
      await sendResponse(await handle(toRequest(req)), res)
    } catch (error) {
      if (next !== undefined) return next(error)
      sendError(error, res)
    }
  }
}

/** Writes a web-standard response to `res`. Keeps `Set-Cookie` headers that were set before. */
export async function sendResponse(response: Response, res: NodeResponse): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value)
  appendCookies(res, response.headers.getSetCookie())
  res.end(await response.text())
}

/**
 * `client.session` for a `(req, res)` server. Adds the session's `Set-Cookie` headers to `res`.
 *
 * ```ts
 * const { user } = await nodeSession(client, req, res)
 * ```
 */
export async function nodeSession(client: Client, req: NodeRequest, res: NodeResponse): Promise<Session> {
  // Before the refresh: a pair whose cookies come too late would be lost.
  if (res.headersSent) throw new Error('Call nodeSession before your response starts: it sets cookies.')
  return client.session(toRequest(req), { refresh: true, setCookie: (line) => appendCookies(res, [line]) })
}

export function appendCookies(res: NodeResponse, setCookies: readonly string[]): void {
  if (setCookies.length === 0) return
  const before = res.getHeader('Set-Cookie')
  const kept = before === undefined ? [] : Array.isArray(before) ? (before as string[]) : [String(before)]
  res.setHeader('Set-Cookie', [...kept, ...setCookies])
}
