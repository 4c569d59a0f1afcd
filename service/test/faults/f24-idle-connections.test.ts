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

/** As many as can be had: beyond the limit of files they are cut, or never taken. */
async function crowd(t: TestContext, port: string, size: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let tries = 0; tries < size; tries += 100) {
    const opened = Array.from({ length: 100 }, () => Promise.race([RawSocket.open(port), sleep(1_000, null)]))
    for (const socket of await Promise.allSettled(opened))
      if (socket.status === 'fulfilled' && socket.value !== null) sockets.push(socket.value.read())
  }
  return sockets
}

test(`F24: ${DESCRIPTORS * 2} idle connections where a process may have ${DESCRIPTORS} files: it lives, serves the connection that was open before, and recovers by itself`, {
  skip: long || (process.platform === 'win32' ? 'Windows has no such limit' : false),
  timeout: 90_000,
}, async (t) => {
  const launch = { wrapper: ['/bin/sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'] }
  const fixture = await createFixture(t, 'sqlite', { launch })
  const { cluster, app } = fixture
  const pair = await newTokenPair(fixture)
  const { PORT } = cluster.first.service.settings
  const inside = (await RawSocket.open(PORT)).read()
  // What it asks for needs the database.
  const asked = `GET /api/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n\r\n`
  await inside.send(asked)
  await waitUntil('it is served', () => inside.statuses.length === 1)
  const sockets = await crowd(t, PORT, DESCRIPTORS * 2)
  assert.ok(cluster.first.alive, 'it lives')
  await inside.send(asked)
  await waitUntil('it is served again', () => inside.statuses.length === 2 || !inside.isOpen)
  assert.deepEqual([inside.isOpen, inside.statuses], [true, [200, 200]])
  inside.destroy()
  for (const socket of sockets) socket.destroy()
  const gone = performance.now()
  const ready = await cluster.ready()
  await app.refresh(pair.refresh_token)
  assert.ok(cluster.first.alive)
  figure(
    t,
    `F24: ${sockets.length} idle connections with ${DESCRIPTORS} files: alive, the connection from before served, ready ${seconds(ready)} after they left (${seconds(performance.now() - gone)} to the next write)`,
  )
})

const MANY = fullOrShort(10_500, 2_000)

test(`F24: ${count(MANY)} idle connections take little memory, at most ten thousand are let in, and others are served`, {
  skip: long,
  timeout: 120_000,
}, async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const { access_token } = await newTokenPair(fixture)
  const idle = await rssOf(cluster.first.pid)
  const sockets = await crowd(t, cluster.first.service.settings.PORT, MANY)
  const openNow = (): number => sockets.filter(({ isOpen }) => isOpen).length
  // The system connects everybody; who is one too many hears of it a moment later.
  await waitUntil('at most ten thousand are open', async () => openNow() <= 10_000)
  const open = openNow()
  const most = await rssOf(cluster.first.pid)
  if (open < 10_000) assert.equal(await app.isValid(access_token), true)
  for (const socket of sockets) socket.destroy()
  const ready = await cluster.ready()
  assert.equal(await app.isValid(access_token), true)
  const perConnection = ((most - idle) * 1_024) / Math.max(1, open)
  assert.ok(perConnection < 64, `${Math.round(perConnection)} KB for each`)
  figure(
    t,
    `F24: ${count(open)} of ${count(MANY)} idle connections open, ${Math.round(idle)} MB before and ${Math.round(most)} MB with them, ready ${seconds(ready)} after they left`,
  )
})
