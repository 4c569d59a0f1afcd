import type { RequestLike } from '../types.ts'
import { type Additions, unshared } from './additions.ts'

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
 * Converts a Node request to the `RequestLike` that this package takes. Its `url` is empty if the request target is not valid:
 * respond with 400, because a router could read it in another way than you do. The body is not read. `X-Forwarded-Host` counts only
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
  const headers = headersOf(req)
  // Concatenated, not resolved: a request target of `//other.example/` must stay a path of this host, and `protect` must see
  // the dot segments that the app routes on.
  const path = pathOf(req.originalUrl ?? req.url ?? '/')
  const url = path === null ? '' : originOf(req, headers, hostname) + path
  return { method: req.method ?? 'GET', url, headers }
}

function headersOf(req: NodeRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    // HTTP/2 has names that start with a colon.
    if (value === undefined || name.startsWith(':')) {
      continue
    }
    const separator = name === 'cookie' ? '; ' : ', '
    headers.set(name, typeof value === 'string' ? value : value.join(separator))
  }
  return headers
}

function originOf(req: NodeRequest, headers: Headers, hostname: string | undefined): string {
  const socket = req.socket as { readonly encrypted?: unknown } | null | undefined
  const scheme = socket?.encrypted === true ? 'https' : 'http'
  const host = forwardedHost(headers, hostname) ?? headers.get('host') ?? req.headers[':authority']
  const origin = `${scheme}://${host}`
  const isHost = /^[\w.[\]:-]+$/.test(String(host)) && URL.canParse(origin)
  return isHost ? origin : 'http://host.invalid'
}

/** The framework takes `X-Forwarded-Host` for its `hostname` only if the app trusts the proxy. */
function forwardedHost(headers: Headers, hostname: string | undefined): string | null {
  const [first = ''] = headers.get('x-forwarded-host')?.split(',') ?? []
  const forwarded = first.trim()
  const isTrusted = hostname !== '' && forwarded.replace(/:\d+$/, '') === hostname
  return isTrusted ? forwarded : null
}

/** Printable ASCII without `#`. Browsers encode everything else, and some routers remove it or end the path there. */
const ORIGIN_FORM = /^\/[!"$-~]*$/
const ABSOLUTE_FORM = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?=\/|$)/i

/**
 * Path and query of a request target (RFC 9112, section 3.2), or null if it is not valid. `OPTIONS *` is about the whole
 * server.
 */
function pathOf(target: string): string | null {
  if (target === '*') {
    return '/'
  }
  const path = target.replace(ABSOLUTE_FORM, '') || '/'
  const isValid = ORIGIN_FORM.test(path) && (path === target || URL.canParse(target))
  return isValid ? path : null
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
