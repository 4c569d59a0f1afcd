import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { WebFetch } from './in-process-fetch.ts'

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
    for (const value of values) headers.append(name, value)
  }
  if (BODYLESS.has(status)) return new Response(null, { status, headers })
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers })
}
