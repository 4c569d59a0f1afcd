import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { rssOf } from '../support/process/rss.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const DESCRIPTORS = 256

/** Opens up to `size` sockets: beyond the file limit they are closed or never accepted. */
async function openSockets(t: TestContext, port: string, size: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = []
  t.after(() => {
    for (const socket of sockets) {
      socket.destroy()
    }
  })
  for (let tries = 0; tries < size; tries += 100) {
    const opened = Array.from({ length: 100 }, () =>
      Promise.race([RawSocket.open(port), sleep(1_000, null)]),
    )
    for (const socket of await Promise.allSettled(opened)) {
      if (socket.status === 'fulfilled' && socket.value !== null) {
        sockets.push(socket.value.read())
      }
    }
  }
  return sockets
}

test(`F24: open connections are served while ${DESCRIPTORS * 2} idle ones exhaust a limit of ${DESCRIPTORS} files, and the service recovers by itself`, {
  skip: long || (process.platform === 'win32' ? 'Windows has no file limit' : false),
  timeout: 90_000,
}, async (t) => {
  const launch = { wrapper: ['/bin/sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'] }
  const fixture = await createFixture(t, 'sqlite', { launch })
  const { cluster, app } = fixture
  const pair = await newTokenPair(fixture)
  const { PORT } = cluster.first.service.settings
  const existing = (await RawSocket.open(PORT)).read()
  // A request that reads the database.
  const request = `GET /api/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n\r\n`
  await existing.send(request)
  await waitUntil('the first request is served', () => existing.statuses.length === 1)
  const sockets = await openSockets(t, PORT, DESCRIPTORS * 2)
  assert.ok(cluster.first.alive, 'the process keeps running')
  await existing.send(request)
  await waitUntil(
    'the second request is served',
    () => existing.statuses.length === 2 || !existing.isOpen,
  )
  assert.deepEqual([existing.isOpen, existing.statuses], [true, [200, 200]])
  existing.destroy()
  for (const socket of sockets) {
    socket.destroy()
  }
  const closed = performance.now()
  const ready = await cluster.ready()
  await app.refresh(pair.refresh_token)
  assert.ok(cluster.first.alive)
  figure(
    t,
    `F24: ${sockets.length} idle connections with ${DESCRIPTORS} files: alive, the existing connection served, ready ${seconds(ready)} after they closed (${seconds(performance.now() - closed)} to the next write)`,
  )
})

const MANY = fullOrShort(10_500, 2_000)

test(`F24: ${count(MANY)} idle connections take little memory, at most 10,000 are accepted, and other requests are served`, {
  skip: long,
  timeout: 120_000,
}, async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const { access_token } = await newTokenPair(fixture)
  const idle = await rssOf(cluster.first.pid)
  const sockets = await openSockets(t, cluster.first.service.settings.PORT, MANY)
  const openNow = (): number => sockets.filter(({ isOpen }) => isOpen).length
  // The kernel completes every handshake; the service closes surplus connections a moment later.
  await waitUntil('at most 10,000 are open', async () => openNow() <= 10_000)
  const open = openNow()
  const most = await rssOf(cluster.first.pid)
  if (open < 10_000) {
    assert.equal(await app.isValid(access_token), true)
  }
  for (const socket of sockets) {
    socket.destroy()
  }
  const ready = await cluster.ready()
  assert.equal(await app.isValid(access_token), true)
  const perConnection = ((most - idle) * 1_024) / Math.max(1, open)
  assert.ok(perConnection < 64, `${Math.round(perConnection)} KB per connection`)
  figure(
    t,
    `F24: ${count(open)} of ${count(MANY)} idle connections open, ${Math.round(idle)} MB before and ${Math.round(most)} MB with them, ready ${seconds(ready)} after they closed`,
  )
})
