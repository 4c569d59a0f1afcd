import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { WebFetch } from './in-process-fetch.ts'

/** Statuses whose answers have no body (Fetch, "null body status"). */
const BODYLESS = new Set([101, 103, 204, 205, 304])

/** Asks a listener of `node:http` without a socket: what it would read and write on one goes through memory. */
export function listenerFetch(listener: RequestListener): WebFetch {
  // Never listens. `node:http` takes any stream for a connection.
  const server = createServer(listener)
  return async (request) => {
    const { pathname, search, host } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const [near, far] = duplexPair()
    server.emit('connection', far)
    return new Promise((resolve, reject) => {
      const call = send(
        {
          method: request.method,
          path: pathname + search,
          headers: { ...Object.fromEntries(request.headers), Host: host, Connection: 'close' },
          createConnection: () => near,
          signal: request.signal,
        },
        (response) => resolve(responseOf(response)),
      )
      call.on('error', reject)
      call.end(body)
    })
  }
}

function responseOf(response: IncomingMessage): Response {
  const status = response.statusCode ?? 0
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  if (BODYLESS.has(status)) return new Response(null, { status, headers })
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers })
}
