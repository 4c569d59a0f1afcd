import { Agent, request } from 'node:http'
import { readResponse, type Transport } from '../../service/test/support/transport/http-transport.ts'

/** Keeps connections alive, as a browser does. Connects to this machine for every host name. */
export function keepAliveTransport(): Transport {
  const agent = new Agent({ keepAlive: true })
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(
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
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
}
