import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A TCP proxy that delivers every byte `ms` later, in both directions, as a distant network does. */
interface LatencyProxy {
  readonly url: string
  /** Where connections lead from now on. */
  forwardTo(port: number): void
}

export async function latencyProxy(
  t: Pick<TestContext, 'after'>,
  ms: number,
): Promise<LatencyProxy> {
  const sockets = new Set<Socket>()
  let target = 0
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      // Timers with equal delays fire in order, so the bytes keep theirs.
      const later = (deliver: () => void): void => void setTimeout(deliver, ms).unref()
      from.on('data', (data) => later(() => void to.write(data)))
      from.on('end', () => later(() => void to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => void sockets.delete(from))
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    for (const socket of sockets) {
      socket.destroy()
    }
    server.close()
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo(port) {
      target = port
    },
  }
}
