import { Agent as Connections, request } from 'node:https'
import { readResponse } from '../transport/http-transport.ts'
import { TEST_TLS } from '../transport/tls.ts'

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Connections to a proxy, whose certificate is for client.example. */
export const keepAliveConnections = (): Connections =>
  new Connections({ keepAlive: true, ca: TEST_TLS.cert, servername: 'client.example' })

/** Sends one request over TLS to a proxy on this machine, for the host of the published configuration files. */
export const throughProxy = (
  port: number,
  { method, path, headers = {}, body = '' }: ProxiedRequest,
  agent: Connections,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = {
      ...headers,
      Host: 'login.example.com',
      'Content-Length': Buffer.byteLength(body),
    }
    request({ host: '127.0.0.1', port, agent, method, path, headers: sent }, (response) =>
      readResponse(response).then(resolve, reject),
    )
      .on('error', reject)
      .end(body)
  })
