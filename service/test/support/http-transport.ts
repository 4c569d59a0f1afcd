import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { assertDescribed } from './described.ts'

/** One request and its answer, redirects included. */
export type Transport = (
  url: URL,
  init: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  },
) => Response | Promise<Response>

/** Not `fetch`: Node's writes its own `Sec-Fetch-Mode` over ours, and a server may care which one it gets. */
export const overHttp: Transport = (url, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    // A connection of its own: a service that restarts on the same port must not meet an old one.
    const agent = false
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      { method, headers, agent },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const received = new Headers()
          for (const [name, values] of Object.entries(answer.headersDistinct)) {
            for (const value of values ?? []) received.append(name, value)
          }
          const bytes = Buffer.concat(chunks)
          const status = answer.statusCode ?? 0
          try {
            assertDescribed(method, url, { status, headers: received, text: bytes.toString() })
            resolve(new Response(bytes.length === 0 ? null : bytes, { status, headers: received }))
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    request.on('error', reject)
    if (body !== null) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.end(body ?? undefined)
  })
