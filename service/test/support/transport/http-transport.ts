import { type Agent as Connections, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { assertDescribed } from '../ledger/described.ts'

/** One request and its answer, redirects included. */
export type Transport = (
  url: URL,
  init: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  },
) => Response | Promise<Response>

/** A connection for each request: a service that restarts on the same port must not meet an old one. */
export const overHttp: Transport = (url, init) => send(url, init, false)

/** Over connections that are kept for the next request, as a client under load does it. */
export const overKept =
  (connections: Connections): Transport =>
  (url, init) =>
    send(url, init, connections)

/** Not `fetch`: Node's writes its own `Sec-Fetch-Mode` over ours, and a server may care which one it gets. */
const send = (
  url: URL,
  { method, headers, body }: Parameters<Transport>[1],
  agent: Connections | false,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      { method, headers, agent },
      (response) =>
        void wholeOf(response)
          .then(async (whole) => {
            const { status, headers: received } = whole
            assertDescribed(method, url, { status, headers: received, text: await whole.clone().text() })
            return whole
          })
          .then(resolve, reject),
    )
    request.on('error', reject)
    if (body !== null) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.end(body ?? undefined)
  })

/** An answer of `node:http`, read to its end, as a `Response`. */
export async function wholeOf(response: IncomingMessage): Promise<Response> {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const bytes = await buffer(response)
  return new Response(bytes.length === 0 ? null : bytes, { status: response.statusCode ?? 0, headers })
}
