import { Agent, request } from 'node:http'
import { readResponse, type Transport } from '../../service/test/support/transport/http-transport.ts'

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
        (response) => void readResponse(response).then(resolve, reject),
      )
      asked.on('error', reject)
      asked.end(body ?? undefined)
    })
}
