import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long an idle connection stays open after the port has closed: a proxy may be sending a request on it. */
const IDLE_GRACE_MS = 2_000
/** A machine that stands still for seconds, the proxy included, loses one of these steps and not the whole time. */
const IDLE_GRACE_STEPS = 4
/** How long requests in flight may take after that. */
const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 50
/** Ends the wait for an empty accept queue under a flood of connections. CPU time: a busy machine must not end it. */
const ACCEPT_CPU_MS = 1_000

export interface Drain {
  /** How long to serve as before, while load balancers read the 503 of /readyz. */
  readonly afterMs: number
  /** Runs when this process has closed the port. Resolves when its other workers have, too. */
  readonly workersClosed: () => Promise<unknown>
  /** Runs when the port is closed; every later response must say `Connection: close`. */
  readonly portClosed: () => void
}

/**
 * Stops a server so that a proxy in front of several instances shows no error. A proxy repeats a request elsewhere if the
 * connection was refused, but not a POST on a connection that breaks.
 */
export async function drainServer(
  server: Server,
  { afterMs, workersClosed, portClosed }: Drain,
): Promise<void> {
  if (!server.listening) {
    return portClosed()
  }
  if (afterMs > 0) {
    await elapsed(afterMs)
  }

  await acceptQueued(server)
  // Nothing runs between the last accept and this. Not the close() of http.Server: it closes idle connections at once, also
  // those on which a proxy is sending a request.
  const closed = new Promise<void>(
    (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
  )
  // While another worker accepts, a closed connection would come back to it as a new one, just before its port closes.
  await workersClosed()
  portClosed()
  for (let step = 0; step < IDLE_GRACE_STEPS; step++) {
    await Promise.race([closed, elapsed(IDLE_GRACE_MS / IDLE_GRACE_STEPS)])
  }

  await socketsRead()
  server.closeIdleConnections()
  // A response that had begun before the port closed did not say `Connection: close`, so its connection becomes idle.
  const idleCheck = setInterval(
    () => void socketsRead().then(() => server.closeIdleConnections()),
    IDLE_CHECK_MS,
  )
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
  for (const began = process.cpuUsage(); accepted && cpuMsSince(began) < ACCEPT_CPU_MS; ) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', onConnection)
}

/**
 * Resolves after a poll of all sockets. Timers run before the poll: when this process has waited for a core, a request may be
 * in the buffer of a connection that still counts as idle.
 */
async function socketsRead(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

const elapsed = (ms: number): Promise<unknown> => once(AbortSignal.timeout(ms), 'abort')
