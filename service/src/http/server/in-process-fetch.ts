import {
  createServer,
  IncomingMessage,
  type RequestListener,
  ServerResponse,
  request as send,
} from 'node:http'
import { Socket } from 'node:net'
import { duplexPair, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { App } from '../dependencies.ts'
import { allowsHost, type HostRule, hostRefused } from './allowed-host.ts'
import type { DevProviderMount, WebFetch } from './server.ts'

/**
 * The service as a function from request to response, without a socket.
 *
 * Such a request has no remote address. Rate limits count it under the key that all requests without an address share
 * (`domain/network/client-address.ts`), and `X-Forwarded-For` is ignored. It does not count as loopback either: a server that
 * forwards public traffic to this function would otherwise expose /metrics.
 */
export function inProcessFetch(
  routes: () => Promise<Pick<App, 'fetch'>>,
  devProvider: DevProviderMount | null,
  hostRule: HostRule,
): WebFetch {
  // A socket that was never connected has no remote address.
  const incoming = new IncomingMessage(new Socket())
  const bindings = { incoming, outgoing: new ServerResponse(incoming) }
  return async (request) => {
    const { pathname, host } = new URL(request.url)
    if (!allowsHost(host, hostRule)) {
      return new Response(hostRefused(hostRule), { status: 403 })
    }
    if (devProvider?.handles(pathname)) {
      return devProvider.fetch(request)
    }
    // HTTP/1.1 requires a Host header (RFC 9112, section 3.2); a constructed Request has the host in its URL only.
    const headers = new Headers(request.headers)
    headers.set('Host', host)
    return (await routes()).fetch(new Request(request, { headers }), bindings)
  }
}

/** Statuses whose responses have no body (Fetch, "null body status"). */
const BODYLESS = new Set([101, 103, 204, 205, 304])

/** Calls a `node:http` listener over an in-memory stream instead of a socket. */
export function listenerFetch(listener: RequestListener): WebFetch {
  // Never listens: `node:http` accepts any duplex stream as a connection.
  const server = createServer(listener)
  return async (request) => {
    const { pathname, search, host } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const [clientSide, serverSide] = duplexPair()
    server.emit('connection', serverSide)
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          method: request.method,
          path: pathname + search,
          headers: { ...Object.fromEntries(request.headers), Host: host, Connection: 'close' },
          createConnection: () => clientSide,
          signal: request.signal,
        },
        (response) => resolve(toWebResponse(response)),
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}

function toWebResponse(response: IncomingMessage): Response {
  const status = response.statusCode ?? 0
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) {
      headers.append(name, value)
    }
  }
  if (BODYLESS.has(status)) {
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers })
}
