import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { rssOf } from '../support/process/rss.ts'
import { long } from '../support/tags.ts'

const SENDERS = fullOrShort(1_000, 300)
/** Fewer: the kernel keeps up to four megabytes for each before we notice that nobody reads. */
const READERS = fullOrShort(300, 100)

interface Slow {
  readonly name: string
  /** What it sends at first, of a request to this app. */
  begin(tenantId: string): string
  /** What it adds, once a second. */
  readonly more: string
  readonly reads: boolean
  readonly cutWithinMs: number
}

const ASK_FOR_MUCH = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'

const WAYS: readonly Slow[] = [
  {
    name: 'send their headers a line a second',
    begin: () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n',
    more: 'X-Slow: 1\r\n',
    reads: true,
    cutWithinMs: 14_000,
  },
  {
    name: 'send their body a byte a second',
    begin: (id) =>
      `POST /edge/auth/${id}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
    more: ' ',
    reads: true,
    cutWithinMs: 19_000,
  },
  {
    name: 'ask for much and never read it',
    // More than the kernel keeps for a connection, and not so much at once that they are cut for that.
    begin: () => ASK_FOR_MUCH,
    more: ASK_FOR_MUCH.repeat(12),
    reads: false,
    cutWithinMs: 60_000,
  },
  {
    name: 'ask for much two hundred times in one breath',
    begin: () => ASK_FOR_MUCH.repeat(200),
    more: '',
    reads: false,
    cutWithinMs: 20_000,
  },
]

async function crowd(t: TestContext, port: string, { begin, reads }: Slow, tenantId: string): Promise<RawSocket[]> {
  const sockets: RawSocket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  while (sockets.length < (reads ? SENDERS : READERS)) {
    const some = await Promise.all(Array.from({ length: 50 }, () => RawSocket.open(port)))
    for (const socket of some) {
      if (reads) socket.read()
      void socket.send(begin(tenantId))
    }
    sockets.push(...some)
  }
  return sockets
}

for (const way of WAYS) {
  const clients = way.reads ? SENDERS : READERS
  test(`F20: ${clients} clients that ${way.name} are cut, and everybody else is served as before`, {
    skip: long,
    timeout: 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, 'sqlite')
    const { cluster, app } = fixture
    const { access_token } = await newTokenPair(fixture)
    const idle = await rssOf(cluster.first.pid)
    const probe = new VerifyProbe(t, app, cluster.first, access_token)
    const began = performance.now()
    const sockets = await crowd(t, cluster.first.service.settings.PORT, way, app.id)
    let most = 0
    while (performance.now() - began < way.cutWithinMs && sockets.some(({ isOpen }) => isOpen)) {
      // Each once a second, but not all in the same moment: they do not know of each other.
      for (let tenth = 0; tenth < 10; tenth++) {
        await sleep(100)
        for (let at = tenth; at < sockets.length; at += 10) void sockets[at]?.send(way.more)
      }
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    // Who does not read does not notice either that it was cut.
    for (const socket of sockets) socket.read()
    await Promise.race([Promise.all(sockets.map((socket) => socket.closed())), sleep(10_000, null, { ref: false })])
    const open = sockets.filter(({ isOpen }) => isOpen).length
    const { failures } = await probe.stop()
    figure(
      t,
      `F20 ${way.name}: ${clients} clients, ${open} still open after ${seconds(performance.now() - began)}; others: 99 % of ${probe.calls} within ${probe.p99()} ms; ${Math.round(idle)} MB before, ${Math.round(most)} MB at most`,
    )
    assert.equal(open, 0, 'all were cut')
    assert.deepEqual(failures, [])
    assert.doesNotMatch(cluster.log, /internalError/, 'who is cut is no failure of ours')
    assert.ok(probe.p99() < 500, `99 % within ${probe.p99()} ms`)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
  })
}
