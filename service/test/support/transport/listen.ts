import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** An HTTP server on a free loopback port, closed after the test. A listener that needs the port can be added later. */
export async function listen(
  t: Pick<TestContext, 'after'>,
  listener?: RequestListener,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer()
  if (listener) {
    server.on('request', listener)
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}
