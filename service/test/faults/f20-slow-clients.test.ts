import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { rssOf } from '../support/process/rss.ts'
import { long } from '../support/tags.ts'

const SENDERS = fullOrShort(1_000, 300)
/** Fewer, because the kernel buffers up to 4 MB per connection before the service sees back-pressure. */
const READERS = fullOrShort(300, 100)

interface SlowClient {
  readonly name: string
  /** The first bytes of the request. */
  firstBytes(tenantId: string): string
  /** Sent once a second. */
  readonly everySecond: string
  readonly reads: boolean
  readonly closedWithinMs: number
}

const LARGE_REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'

const SLOW_CLIENTS: readonly SlowClient[] = [
  {
    name: 'send one header line a second',
    firstBytes: () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n',
    everySecond: 'X-Slow: 1\r\n',
    reads: true,
    closedWithinMs: 14_000,
  },
  {
    name: 'send one body byte a second',
    firstBytes: (id) =>
      `POST /edge/auth/${id}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
    everySecond: ' ',
    reads: true,
    closedWithinMs: 19_000,
  },
  {
    name: 'request large responses and never read',
    // More than the kernel buffers for a connection, but below the limit for pipelined requests.
    firstBytes: () => LARGE_REQUEST,
    everySecond: LARGE_REQUEST.repeat(12),
    reads: false,
    closedWithinMs: 60_000,
  },
  {
    name: 'pipeline 200 requests for large responses',
    firstBytes: () => LARGE_REQUEST.repeat(200),
    everySecond: '',
    reads: false,
    closedWithinMs: 20_000,
  },
]

async function openSockets(
  t: TestContext,
  port: string,
  { firstBytes, reads }: SlowClient,
  tenantId: string,
): Promise<RawSocket[]> {
  const sockets: RawSocket[] = []
  t.after(() => {
    for (const socket of sockets) {
      socket.destroy()
    }
  })
  while (sockets.length < (reads ? SENDERS : READERS)) {
    const opened = await Promise.all(Array.from({ length: 50 }, () => RawSocket.open(port)))
    for (const socket of opened) {
      if (reads) {
        socket.read()
      }
      void socket.send(firstBytes(tenantId))
    }
    sockets.push(...opened)
  }
  return sockets
}

for (const client of SLOW_CLIENTS) {
  const clients = client.reads ? SENDERS : READERS
  test(`F20: ${clients} clients that ${client.name} are disconnected, and other requests are unaffected`, {
    skip: long,
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'sqlite')
    const { cluster, app } = fixture
    const { access_token } = await newTokenPair(fixture)
    const idle = await rssOf(cluster.first.pid)
    const probe = new VerifyProbe(t, app, cluster.first, access_token)
    const began = performance.now()
    const sockets = await openSockets(t, cluster.first.service.settings.PORT, client, app.id)
    let most = 0
    while (
      performance.now() - began < client.closedWithinMs &&
      sockets.some(({ isOpen }) => isOpen)
    ) {
      // Each client sends once a second, spread over the second.
      for (let tenth = 0; tenth < 10; tenth++) {
        await sleep(100)
        for (let at = tenth; at < sockets.length; at += 10) {
          void sockets[at]?.send(client.everySecond)
        }
      }
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    // A socket that doesn't read never sees the close.
    for (const socket of sockets) {
      socket.read()
    }
    await Promise.race([
      Promise.all(sockets.map((socket) => socket.closed())),
      sleep(10_000, null, { ref: false }),
    ])
    const open = sockets.filter(({ isOpen }) => isOpen).length
    const { failures } = await probe.stop()
    figure(
      t,
      `F20 ${client.name}: ${clients} clients, ${open} still open after ${seconds(performance.now() - began)}; other requests: 99 % of ${probe.calls} within ${probe.p99()} ms; ${Math.round(idle)} MB before, ${Math.round(most)} MB at most`,
    )
    assert.equal(open, 0, 'all were disconnected')
    assert.deepEqual(failures, [])
    assert.doesNotMatch(
      cluster.log,
      /internalError/,
      'a disconnected slow client is not an internal error',
    )
    assert.ok(probe.p99() < timeBound(500), `99 % within ${probe.p99()} ms`)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
  })
}
