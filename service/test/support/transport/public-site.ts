import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import type { TestContext } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { KeptConnections, type Resolve } from '../../../src/identity/public-https.ts'
import { TEST_TLS } from './tls.ts'

export const PUBLIC_ADDRESS = [{ address: '93.184.215.14', family: 4 }]

export type Serve = (req: IncomingMessage, res: ServerResponse) => void

/**
 * Serves `https://client.example` locally. The agent resolves names with the real lookup check, and connects to the local
 * server whatever address passed the check. It keeps `keptMax` connections between requests.
 */
export async function publicSite(
  t: TestContext,
  serve: Serve,
  resolve: Resolve = async () => PUBLIC_ADDRESS,
  keptMax = 0,
) {
  const requests: string[] = []
  let connections = 0
  const server = createServer(TEST_TLS, (req, res) => {
    requests.push(`${req.method} ${req.url}`)
    serve(req, res)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  server.on('connection', () => {
    connections += 1
  })
  const { port } = server.address() as AddressInfo
  return {
    network: { resolve, agent: new LocalAgent(port, keptMax) },
    requests,
    port,
    connections: () => connections,
  }
}

class LocalAgent extends KeptConnections {
  readonly #port: number

  constructor(port: number, keptMax: number) {
    super(keptMax)
    this.#port = port
  }

  override createConnection(
    options: { host?: string; lookup?: LookupFunction },
    done?: (error: Error | null, socket: TLSSocket) => void,
  ): undefined {
    const { lookup, host = '' } = options
    assert.ok(lookup && done)
    lookup(host, { all: true }, (error) => {
      const socket = error
        ? (undefined as unknown as TLSSocket)
        : connect({ port: this.#port, host: '127.0.0.1', servername: host, ca: TEST_TLS.cert })
      done(error, socket)
    })
  }
}
