import { Agent, request } from 'node:http'
import type { Transport } from '../../service/test/support/http-transport.ts'

/** As a browser's: connections are kept for the next request. Every name is this machine. */
export function keepAliveTransport(): Transport {
  const agent = new Agent({ keepAlive: true })
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: url.port,
          path: url.pathname + url.search,
          method,
          agent,
          headers: {
            Host: url.host,
            ...headers,
            ...(body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }),
          },
        },
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
            resolve(
              new Response(bytes.length === 0 ? null : bytes, { status: answer.statusCode ?? 0, headers: received }),
            )
          })
        },
      )
      asked.on('error', reject)
      asked.end(body ?? undefined)
    })
}
