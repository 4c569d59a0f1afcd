import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy to PostgreSQL that injects network faults. */
export interface FaultProxy {
  readonly url: string
  /** Closes every connection and rejects new ones, as a stopped server does. */
  cut(): void
  /** Drops all bytes on open and new connections without closing them, as a broken network does. */
  blackhole(): void
  /** Drops all bytes on connections that LISTEN for notifications. */
  blackholeListeners(): void
  /** Forwards the next commit, drops its response and closes the connection: only the database knows the outcome. */
  loseNextCommit(then?: () => void): void
  /** Closes the connection instead of forwarding the next commit: the database rolls back. */
  dropNextCommit(): void
  /** Delays every response by `ms` plus up to `jitterMs`. */
  delay(ms: number, jitterMs?: number): void
  /** Opens new connections to another server, as a name that moves does; open ones stay. */
  leadTo(url: string): void
  /** Closes every open connection once. */
  dropConnections(): void
  /** Ends the fault. */
  heal(): void
}

/** A Parse message of the refresh, which is its own transaction (storage/postgres/refresh.ts), with the statement's name. */
const PREPARES_REFRESH = /P[\s\S]{4}([^\0]+)\0[^\0]*gatehouse_refresh_v2\(/

interface Connection {
  readonly client: Socket
  readonly upstream: Socket
  isListener: boolean
  dropsBytes: boolean
  /** The name of its prepared refresh. */
  refresh: string | undefined
}

export async function faultProxy(
  t: Pick<TestContext, 'after'>,
  target: string,
): Promise<FaultProxy> {
  let server = new URL(target)
  const connections = new Set<Connection>()
  let state: 'healthy' | 'cut' | 'blackhole' = 'healthy'
  let onLostCommit: (() => void) | undefined
  let dropsCommit = false
  let latency = { ms: 0, jitterMs: 0 }

  const proxy = createServer((client) => {
    client.on('error', () => {})
    if (state === 'cut') {
      return void client.destroy()
    }
    const upstream = connect(Number(server.port), server.hostname).on('error', () => {})
    const dropsBytes = state === 'blackhole'
    const connection: Connection = {
      client,
      upstream,
      isListener: false,
      dropsBytes,
      refresh: undefined,
    }
    connections.add(connection)
    client.on('data', (data) => {
      connection.isListener ||= data.includes('listen gatehouse')
      if (connection.dropsBytes) {
        return
      }
      connection.refresh ??= PREPARES_REFRESH.exec(data.toString('latin1'))?.[1]
      const refreshes =
        connection.refresh !== undefined && data.includes(`\0${connection.refresh}\0`)
      const commits = refreshes || data.includes('commit')
      if (dropsCommit && commits) {
        dropsCommit = false
        return void client.destroy()
      }
      upstream.write(data)
      if (onLostCommit !== undefined && commits) {
        const lost = onLostCommit
        onLostCommit = undefined
        connection.dropsBytes = true
        upstream.once('data', () => {
          lost()
          client.destroy()
        })
      }
    })
    // Jitter must not reorder the bytes of a connection.
    let delivered = Promise.resolve()
    upstream.on('data', (data) => {
      if (connection.dropsBytes) {
        return
      }
      const { ms, jitterMs } = latency
      const delayed =
        ms === 0 ? undefined : sleep(ms + Math.random() * jitterMs, undefined, { ref: false })
      delivered = delivered
        .then(() => delayed)
        .then(() => void (connection.dropsBytes || client.write(data)))
    })
    client.on('close', () => {
      upstream.destroy()
      connections.delete(connection)
    })
    upstream.on('close', () => void (connection.dropsBytes || client.destroy()))
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))

  const closeAll = (): void => {
    for (const { client } of connections) {
      client.destroy()
    }
  }
  t.after(() => {
    closeAll()
    proxy.close()
  })
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    cut() {
      state = 'cut'
      closeAll()
    },
    blackhole() {
      state = 'blackhole'
      for (const connection of connections) {
        connection.dropsBytes = true
      }
    },
    blackholeListeners() {
      for (const connection of connections) {
        connection.dropsBytes ||= connection.isListener
      }
    },
    loseNextCommit(then = () => {}) {
      onLostCommit = then
    },
    dropNextCommit() {
      dropsCommit = true
    },
    delay(ms, jitterMs = 0) {
      latency = { ms, jitterMs }
    },
    leadTo(url) {
      server = new URL(url)
    },
    dropConnections: closeAll,
    heal() {
      state = 'healthy'
      latency = { ms: 0, jitterMs: 0 }
      for (const { client, dropsBytes } of connections) {
        if (dropsBytes) {
          client.destroy()
        }
      }
    },
  }
}
