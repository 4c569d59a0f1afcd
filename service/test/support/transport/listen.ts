import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A server on a free port of this machine, closed with its test. Its listener may be added once the port is known. */
export async function listen(
  t: Pick<TestContext, 'after'>,
  listener?: RequestListener,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer()
  if (listener) server.on('request', listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}
