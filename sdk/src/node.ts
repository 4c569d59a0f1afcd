import type { Client } from './client.ts'
import { GatehouseError } from './errors.ts'
import type { Session } from './session.ts'
import type { RequestLike } from './types.ts'

/** As much of `node:http`'s `IncomingMessage` as is read here. Express's request is one; Fastify has it as `request.raw`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express: the address before routers took their part off. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly socket?: object | null | undefined
}

/** As much of `node:http`'s `ServerResponse` as is written here. Fastify has it as `reply.raw`. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  getHeader(name: string): string | number | readonly string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
  end(body?: string): unknown
}

export type NodeHandler = (req: NodeRequest, res: NodeResponse, next?: (error?: unknown) => void) => Promise<void>

/** The method, address and headers of a Node request, in the shape that everything here takes. No body is read. */
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
  // Joined, not resolved: a request for `//other.example/` must stay a path of ours.
  const url = (isHost ? origin : 'http://host.invalid') + pathOf(req.originalUrl ?? req.url ?? '/')
  return { method: req.method ?? 'GET', url, headers }
}

/** Proxies may ask with a whole address where the path should be. */
function pathOf(path: string): string {
  if (path.startsWith('/')) return path
  if (!URL.canParse(path)) return '/'
  const { pathname, search } = new URL(path)
  return pathname + search
}

/**
 * A `(req, res)` handler out of one that takes a request and gives a response.
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
      res.statusCode = error instanceof GatehouseError && error.retryable ? 503 : 500
      res.end('Something went wrong. Please try again.')
    }
  }
}

/** Writes a web-standard response. Cookies that were set on `res` before stay. */
export async function sendResponse(response: Response, res: NodeResponse): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value)
  appendCookies(res, response.headers.getSetCookie())
  res.end(await response.text())
}

/**
 * `client.session` for a `(req, res)` server: the cookies to set are already on `res`.
 *
 * ```ts
 * const { user } = await nodeSession(client, req, res)
 * ```
 */
export async function nodeSession(client: Client, req: NodeRequest, res: NodeResponse): Promise<Session> {
  const session = await client.session(toRequest(req))
  appendCookies(res, session.setCookies)
  return session
}

export function appendCookies(res: NodeResponse, setCookies: readonly string[]): void {
  if (setCookies.length === 0) return
  const before = res.getHeader('Set-Cookie')
  const kept = before === undefined ? [] : Array.isArray(before) ? (before as string[]) : [String(before)]
  res.setHeader('Set-Cookie', [...kept, ...setCookies])
}
