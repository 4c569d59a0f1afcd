import type { RequestLike } from '../types.ts'
import { type Additions, targetOf, unshared } from './gate.ts'

/** The subset of `node:http`'s `IncomingMessage` that is read. Express's request has it; in Fastify it is `request.raw`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express: the URL before routers removed their mount path. */
  readonly originalUrl?: string | undefined
  /** Express and Fastify: the host without its port, from `X-Forwarded-Host` if the app trusts the proxy. */
  readonly hostname?: string | undefined
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

/**
 * Converts a Node request to the `RequestLike` that this package takes. The body is not read. `X-Forwarded-Host` counts only
 * if the framework trusts the proxy that sent it (`trust proxy` of Express, `trustProxy` of Fastify).
 *
 * @example
 * ```ts
 * import { toRequest } from '@gatehouse-auth/sdk/node'
 *
 * console.log(toRequest({ url: '/notes', headers: { host: 'app.example' } }).url) // http://app.example/notes
 * ```
 */
export function toRequest(req: NodeRequest, hostname = req.hostname): RequestLike {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || name.startsWith(':')) {
      continue
    }
    headers.set(
      name,
      typeof value === 'string' ? value : value.join(name === 'cookie' ? '; ' : ', '),
    )
  }
  const encrypted =
    (req.socket as { readonly encrypted?: unknown } | null | undefined)?.encrypted === true
  const [forwarded = ''] = headers.get('x-forwarded-host')?.split(',') ?? []
  const isTrusted =
    hostname !== undefined && hostname !== '' && forwarded.trim().replace(/:\d+$/, '') === hostname
  const host = isTrusted
    ? forwarded.trim()
    : String(headers.get('host') ?? req.headers[':authority'])
  const origin = `${encrypted ? 'https' : 'http'}://${host}`
  const isHost = /^[\w.[\]:-]+$/.test(host) && URL.canParse(origin)
  // Concatenated, not resolved: a request target of `//other.example/` must stay a path of this host, and `protect` must see
  // the dot segments that the app routes on.
  const url = (isHost ? origin : 'http://host.invalid') + pathOf(req.originalUrl ?? req.url ?? '/')
  return { method: req.method ?? 'GET', url, headers }
}

/** A request target may be in absolute form (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  if (target.startsWith('/')) {
    return target
  }
  return URL.canParse(target) ? targetOf(target) : '/'
}

/**
 * Writes a web-standard response to `res`. Keeps `Set-Cookie` headers that were set before.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { sendResponse } from '@gatehouse-auth/sdk/node'
 *
 * createServer((_req, res) => sendResponse(new Response('Hello'), res))
 * ```
 */
export async function sendResponse(response: Response, res: NodeResponse): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') {
      res.setHeader(name, value)
    }
  }
  appendCookies(res, response.headers.getSetCookie())
  res.end(await response.text())
}

/** Before the app's handler runs, which may send the head, and may set a `Cache-Control` of its own. */
export function addHeaders(res: NodeResponse, { setCookies, cacheControl }: Additions): void {
  appendCookies(res, setCookies)
  const own = res.getHeader('Cache-Control')
  if (setCookies.length > 0) {
    res.setHeader('Cache-Control', unshared(own))
    const setHeader = res.setHeader.bind(res)
    res.setHeader = (name, value) =>
      setHeader(name, /^cache-control$/i.test(name) ? unshared(value) : value)
  } else if (cacheControl !== null && own === undefined) {
    res.setHeader('Cache-Control', cacheControl)
  }
}

/**
 * Adds `Set-Cookie` headers to `res`, after those that were set before.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { appendCookies } from '@gatehouse-auth/sdk/node'
 *
 * createServer((_req, res) => {
 *   appendCookies(res, ['theme=dark; Path=/'])
 *   res.end('Hello')
 * })
 * ```
 */
export function appendCookies(res: NodeResponse, setCookies: readonly string[]): void {
  if (setCookies.length === 0) {
    return
  }
  res.setHeader('Set-Cookie', [...valuesOf(res.getHeader('Set-Cookie')), ...setCookies])
}

function valuesOf(header: ReturnType<NodeResponse['getHeader']>): readonly string[] {
  if (header === undefined) {
    return []
  }
  return typeof header === 'object' ? header : [String(header)]
}
