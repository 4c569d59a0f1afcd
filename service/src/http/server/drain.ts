import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long an idle connection stays open after the port has closed: a proxy may be sending a request on it. */
const IDLE_GRACE_MS = 2_000
/** How long requests in flight may take after that. */
const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 50
/** Ends the wait for an empty accept queue under a flood of connections. */
const ACCEPT_MS = 1_000

export interface Drain {
  /** How long to serve as before, while load balancers read the 503 of /readyz. */
  readonly afterMs: number
  /** Runs when the port closes; every later response must say `Connection: close`. */
  readonly portClosing: () => void
}

/**
 * Stops a server so that a proxy in front of several instances shows no error. A proxy repeats a request elsewhere if the
 * connection was refused, but not a POST on a connection that breaks.
 */
export async function drainServer(server: Server, { afterMs, portClosing }: Drain): Promise<void> {
  if (!server.listening) return portClosing()
  if (afterMs > 0) await elapsed(afterMs)

  await acceptQueued(server)
  portClosing()
  // Not the close() of http.Server: it closes idle connections at once, also those on which a proxy is sending a request.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()))
  await Promise.race([closed, elapsed(IDLE_GRACE_MS)])

  server.closeIdleConnections()
  // A response that had begun before the port closed did not say `Connection: close`, so its connection becomes idle.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idleCheck)
  clearTimeout(deadline)
}

/**
 * Accepts the connections that the kernel has established already: closing the port would reset them, and the request that
 * a proxy sent on one. Node accepts one connection per turn of the event loop, so the queue is empty after a turn without.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = true
  const onConnection = (): void => {
    accepted = true
  }
  server.on('connection', onConnection)
  // The first turn may already be past its poll for connections.
  await nextTurn()
  for (const deadline = performance.now() + ACCEPT_MS; accepted && performance.now() < deadline; ) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', onConnection)
}

const elapsed = (ms: number): Promise<unknown> => once(AbortSignal.timeout(ms), 'abort')
