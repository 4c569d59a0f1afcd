import {
  type Agent as Connections,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { assertMatchesOpenApi } from '../ledger/openapi-conformance.ts'

/** Sends one request and returns its response; redirects are not followed. */
export type Transport = (
  url: URL,
  init: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array<ArrayBuffer> | null
  },
) => Response | Promise<Response>

/** Opens a connection for each request: a pooled one would be stale after a restart on the same port. */
export const overHttp: Transport = (url, init) => send(url, init, { agent: false })

/**
 * Connects to the server in memory: the same parser, limits and fast paths as over a port, at a third of the CPU time. The
 * server need not listen. It sees a client on this machine.
 */
export const overMemory =
  (server: Server): Transport =>
  (url, init) => {
    const [clientSide, serverSide] = duplexPair()
    server.emit(
      'connection',
      Object.assign(serverSide, { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4' }),
    )
    return send(url, init, { createConnection: () => clientSide })
  }

/** Reuses connections, as a client under load does. */
export const overKeepAlive =
  (connections: Connections): Transport =>
  (url, init) =>
    send(url, init, { agent: connections })

/** Not `fetch`: Node's overwrites `Sec-Fetch-Mode`, which the service checks. */
const send = (
  url: URL,
  { method, headers, body }: Parameters<Transport>[1],
  connection: Pick<RequestOptions, 'agent' | 'createConnection'>,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      { method, headers, ...connection },
      (response) =>
        void read(response)
          .then(({ received, text }) => {
            const { status, headers } = received
            assertMatchesOpenApi(method, url, { status, headers, text })
            return received
          })
          .then(resolve, reject),
    )
    request.on('error', reject)
    if (body !== null) {
      request.setHeader('Content-Length', Buffer.byteLength(body))
    }
    request.end(body ?? undefined)
  })

/** Reads a `node:http` message to its end and returns it as a `Response`. */
export async function readResponse(response: IncomingMessage): Promise<Response> {
  return (await read(response)).received
}

/** The text of a response, which the test itself can still read. `clone` would copy it through two streams. */
export async function textOf(response: Response): Promise<string> {
  return texts.get(response) ?? (await response.clone().text())
}

const texts = new WeakMap<Response, string>()

async function read(response: IncomingMessage): Promise<{ received: Response; text: string }> {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) {
      headers.append(name, value)
    }
  }
  const bytes = await buffer(response)
  const received = new Response(bytes.length === 0 ? null : bytes, {
    status: response.statusCode ?? 0,
    headers,
  })
  const text = bytes.toString('utf8')
  texts.set(received, text)
  return { received, text }
}
