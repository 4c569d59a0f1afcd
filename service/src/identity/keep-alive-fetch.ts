import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ProviderFetch } from './bounded-fetch.ts'
import { ReadResponse } from './read-response.ts'
import { ProviderFault } from './sign-in-error.ts'

/** Shorter than any provider's keep-alive: a login fails if the provider closes a connection while it is being reused. */
export const IDLE_TIMEOUT_MS = 4_000
/** More than the sign-ins in flight (sign-in-error.ts), so that none waits for a connection. */
const CONNECTIONS_MAX = 256

/**
 * The part of `fetch` that an OpenID client needs, over connections that are kept alive between sign-ins. Node's own fetch
 * costs as much CPU as the rest of a sign-in. It follows no redirects, and rejects compressed responses because it sends
 * `Accept-Encoding: identity`.
 */
export function keepAliveFetch(maxBytes: number): ProviderFetch {
  const options = { keepAlive: true, timeout: IDLE_TIMEOUT_MS, maxSockets: CONNECTIONS_MAX }
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const isHttps = url.protocol === 'https:'
    const send = isHttps ? httpsRequest : httpRequest

    const sentBody = body === undefined || body === null ? '' : String(body)
    const sentHeaders: Record<string, string> = Object.fromEntries(new Headers(headers))
    if (sentBody !== '') {
      sentHeaders['content-length'] = String(Buffer.byteLength(sentBody))
    }
    sentHeaders['accept-encoding'] = 'identity'

    return new Promise((resolve, reject) => {
      const request = send(url, {
        method,
        headers: sentHeaders,
        agent: isHttps ? https : http,
        ...(signal ? { signal } : {}),
      })
      request.on('response', (response) => {
        readResponse(response, maxBytes).then(resolve, reject)
      })
      rejectWithoutResponse(request, reject, signal)
      request.end(sentBody)
    })
  }
}

/** Rejects a larger or compressed body. */
export async function readResponse(
  response: IncomingMessage,
  maxBytes: number,
): Promise<ReadResponse> {
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
    response.destroy()
    throw new ProviderFault('malformed_answer')
  }
  const content = await readBody(response, maxBytes)
  const status = response.statusCode ?? 0
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) {
      headers.append(name, value)
    }
  }
  return new ReadResponse(content, { status, headers })
}

/** Rejects a larger body. Reads by events: an async iterator of a stream costs as much as the rest of the request. */
export function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) {
        response.destroy(new ProviderFault('answer_too_large'))
      } else {
        chunks.push(chunk)
      }
    })
    response.on('end', () => resolve(Buffer.concat(chunks)))
    response.on('error', reject)
    // Only a response that broke off has not settled the promise by then.
    response.on('close', () => reject(new Error('the connection closed within the response')))
  })
}

/**
 * Rejects for every way in which an outgoing request can end without a response. Node emits no error for two of them:
 * a `101 Switching Protocols` (it only closes the socket), and a deadline that passes after that.
 */
export function rejectWithoutResponse(
  request: ClientRequest,
  reject: (error: Error) => void,
  deadline: AbortSignal | null | undefined,
): void {
  request.on('error', reject)
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(new Error('the server switched protocols'))
  })
  deadline?.addEventListener(
    'abort',
    () => {
      request.destroy()
      reject(deadline.reason)
    },
    { once: true },
  )
}
