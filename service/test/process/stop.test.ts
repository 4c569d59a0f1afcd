import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { drainServer } from '../../src/http/server/drain.ts'
import { type ManualTimeouts, manualTimeouts } from '../support/faults/manual-timeouts.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'
import { type World, world } from '../support/world.ts'

const IDLE_GRACE_STEPS = 4
const IDLE_GRACE_STEP_MS = 500
const AT_ONCE = { afterMs: 0, workersClosed: async (): Promise<void> => {} }
const HEALTHZ = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A connection that a client keeps open after a response. */
async function idleConnection({ config }: World): Promise<RawSocket> {
  const socket = (await RawSocket.open(config.port)).read()
  await socket.send(HEALTHZ)
  await waitUntil('the first response has arrived', () => socket.statuses.length === 1)
  return socket
}

/** Lets the steps of the grace pass, up to and including `last`. */
async function passGrace(grace: ManualTimeouts, last = IDLE_GRACE_STEPS): Promise<void> {
  for (let step = 1; step <= last; step++) {
    await waitUntil(`step ${step} of the grace has begun`, () => grace.count() === step)
    grace.expire()
  }
}

const isRefused = async ({ agent }: World): Promise<boolean> =>
  agent.call('GET', '/healthz').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )

test('a stopping instance serves as before for STOP_AFTER_MS: /readyz is 503, new connections are accepted, kept ones stay open, and long polls wait', async (t) => {
  const stopAfter = manualTimeouts(t, 30_000)
  const here = await world(t, { through: 'port', realTime: true, env: { STOP_AFTER_MS: '30000' } })
  const tenant = await here.agent.createTenant()
  const idle = await idleConnection(here)
  const longPoll = tenant.manage('GET', '/api/social-login/events?wait=25')
  await waitUntil('the long poll waits', () => here.app.ctx.signals.waiting === 1)

  const stopping = here.stop()
  await waitUntil('the wait has begun', () => stopAfter.count() === 1)
  const ready = await here.agent.call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.json.reasons], [503, ['shutting down']])
  assert.equal((await tenant.manage('GET', '/api/status')).status, 200)
  await idle.send(HEALTHZ)
  await waitUntil('the second response has arrived', () => idle.statuses.length === 2)
  assert.deepEqual([idle.isOpen, idle.statuses], [true, [200, 200]])
  assert.doesNotMatch(idle.received, /^connection: close\r$/im)
  assert.equal(here.app.ctx.signals.waiting, 1, 'the long poll still waits')

  stopAfter.expire()
  assert.deepEqual((await longPoll).json, { events: [] })
  idle.destroy()
  await stopping
  assert.equal(await isRefused(here), true)
})

test('once the port is closed, a request on a kept connection gets a response with Connection: close, and only connections that stay idle are closed without one', async (t) => {
  const idleGrace = manualTimeouts(t, IDLE_GRACE_STEP_MS)
  const here = await world(t, { through: 'port', realTime: true })
  const tenant = await here.agent.createTenant()
  const { access_token } = await tenant.signIn(here.browser())
  const [used, verifying, unused] = [
    await idleConnection(here),
    await idleConnection(here),
    await idleConnection(here),
  ]

  const stopping = here.stop()
  await waitUntil('the port is closed', () => isRefused(here))
  assert.deepEqual([used.isOpen, verifying.isOpen, unused.isOpen], [true, true, true])
  await used.send(HEALTHZ)
  const body = JSON.stringify({ access_token })
  const verify = `POST /edge/auth/${tenant.id}/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`
  await verifying.send(`${verify}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await Promise.all([used.closed(), verifying.closed()])
  for (const socket of [used, verifying]) {
    assert.deepEqual(socket.statuses, [200, 200])
    assert.match(socket.received, /^connection: close\r$/im)
  }
  assert.match(verifying.received, /"valid":true/)
  await passGrace(idleGrace, IDLE_GRACE_STEPS - 1)
  assert.equal(unused.isOpen, true, 'an idle connection stays open during the grace')

  await waitUntil('the last step has begun', () => idleGrace.count() === IDLE_GRACE_STEPS)
  idleGrace.expire()
  await unused.closed()
  await stopping
  assert.deepEqual(unused.statuses, [200])
})

test('a request that has reached a kept connection when the grace ends is answered, even if the process has had no time to read it', async (t) => {
  const idleGrace = manualTimeouts(t, IDLE_GRACE_STEP_MS)
  const here = await world(t, { through: 'port', realTime: true })
  const [used, unused] = [await idleConnection(here), await idleConnection(here)]

  const stopping = here.stop()
  await passGrace(idleGrace, IDLE_GRACE_STEPS - 1)
  await waitUntil('the last step has begun', () => idleGrace.count() === IDLE_GRACE_STEPS)
  // The kernel has the request, and this process, which is also the server, reads it only in its next turn.
  void used.send(HEALTHZ)
  idleGrace.expire()
  await Promise.all([used.closed(), unused.closed(), stopping])
  assert.deepEqual([used.statuses, unused.statuses], [[200, 200], [200]])
})

/** Sends a request on each of new connections, and returns the status lines or errors that arrive on them. */
function establishedConnections(port: string | number, count: number): Promise<string[]> {
  const received: Promise<string>[] = []
  for (let number = 0; number < count; number++) {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    received.push(
      new Promise((resolve) => {
        let text = ''
        socket.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        socket.on('error', ({ message }) => resolve(message))
        socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
      }),
    )
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  }
  return Promise.all(received)
}

test('connections that were established when the port closes are served, not reset', async (t) => {
  const here = await world(t, { through: 'port', realTime: true })
  const received = establishedConnections(here.config.port, 50)
  // The kernel has established them, and this process, which is also the server, has accepted none.
  const stopping = await new Promise<Promise<void>>((resolve) =>
    process.nextTick(() => resolve(here.stop())),
  )
  assert.deepEqual([...new Set(await received)], ['HTTP/1.1 200 OK'])
  await stopping
})

test('a process that gets little CPU time serves all connections that were established when the port closes', {
  skip: slow,
}, async (t) => {
  const { server, port } = await listen(t, (_req, res) => void res.end())
  // Each accept takes so long that all of them take more than two seconds, but no CPU time.
  const clock = new Int32Array(new SharedArrayBuffer(4))
  server.on('connection', () => void Atomics.wait(clock, 0, 0, 50))
  const received = establishedConnections(port, 50)
  const drained = await new Promise<Promise<void>>((resolve) =>
    process.nextTick(() => resolve(drainServer(server, { ...AT_ONCE, portClosed: () => {} }))),
  )
  assert.deepEqual([...new Set(await received)], ['HTTP/1.1 200 OK'])
  await drained
})

test('connections stay open until the other workers have closed the port, too', async (t) => {
  const idleGrace = manualTimeouts(t, IDLE_GRACE_STEP_MS)
  const { server, port } = await listen(t, (_req, res) => void res.end())
  const kept = (await RawSocket.open(port)).read()
  await kept.send(HEALTHZ)
  await waitUntil('the first response has arrived', () => kept.statuses.length === 1)
  const { promise: workersClosed, resolve: closeOthers } = Promise.withResolvers<void>()
  const order: string[] = []
  const drained = drainServer(server, {
    afterMs: 0,
    workersClosed: () => {
      order.push(`this port is ${server.listening ? 'open' : 'closed'}`)
      return workersClosed
    },
    portClosed: () => void order.push('the port is closed'),
  })
  await waitUntil('this worker has closed the port', () => order.length > 0)
  await kept.send(HEALTHZ)
  await waitUntil('the second response has arrived', () => kept.statuses.length === 2)
  assert.deepEqual([order, kept.isOpen], [['this port is closed'], true])

  closeOthers()
  await passGrace(idleGrace)
  await Promise.all([drained, kept.closed()])
  assert.deepEqual(order, ['this port is closed', 'the port is closed'])
})

test('a response that began before the port closed is completed, and its connection is then closed without waiting for the last deadline', async (t) => {
  const idleGrace = manualTimeouts(t, IDLE_GRACE_STEP_MS)
  const begun: ServerResponse[] = []
  const { server, port } = await listen(t, (_req, res) => {
    res.writeHead(200).write('begun')
    begun.push(res)
  })
  server.keepAliveTimeout = 75_000
  const idleCheck = t.mock.method(server, 'closeIdleConnections')
  const deadline = t.mock.method(server, 'closeAllConnections')
  const reader = (await RawSocket.open(port)).read()
  await reader.send(HEALTHZ)
  await waitUntil('the response has begun', () => reader.received.includes('begun'))

  const drained = drainServer(server, { ...AT_ONCE, portClosed: () => {} })
  await passGrace(idleGrace)
  await waitUntil('idle connections are closed', () => idleCheck.mock.callCount() > 0)
  begun[0]?.end('complete')
  await Promise.all([drained, reader.closed()])
  assert.match(reader.received, /complete/)
  assert.equal(deadline.mock.callCount(), 0)
})
