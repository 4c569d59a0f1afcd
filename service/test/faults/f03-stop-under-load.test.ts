import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent as Connections, get, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestClaim } from '../support/actors/claim.ts'
import { figure, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { newTenant } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'

const WAITING = 500
const STOP_WITHIN_MS = timeBound(10_000)

interface Received {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
}

/** A client with keep-alive connections, as real clients have. */
function keepAliveClient(t: TestContext, port: string) {
  const connections = new Connections({ keepAlive: true })
  t.after(() => connections.destroy())
  let count = 0
  return {
    connected: () => count,
    send: (target: string, key?: string): Promise<Received> =>
      new Promise((resolve, reject) => {
        const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
        const sent = get(
          { host: '127.0.0.1', port, path: target, headers, agent: connections },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk) => {
              text += chunk
            })
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                connection: response.headers.connection,
                text,
              }),
            )
            response.on('error', reject)
          },
        )
        sent.on('error', reject)
        sent.on('socket', (socket) => {
          if (socket.connecting) {
            socket.once('connect', () => count++)
          }
        })
      }),
  }
}

for (const engine of ENGINES) {
  test(`[${engine}] F3: SIGTERM under load with ${WAITING} long polls: every long poll gets a response, running requests finish, and the exit code is 0`, async (t) => {
    const { cluster, app } = await createFixture(t, engine, { instances: 1 })
    const { service } = cluster.first
    const { PORT } = service.settings
    const { send, connected } = keepAliveClient(t, PORT)
    const guest = await newTenant(cluster.first)
    const offer = await requestClaim(guest)
    const waiting: Promise<Received>[] = []
    while (waiting.length < WAITING - 2) {
      waiting.push(send('/api/social-login/events?wait=25', app.key))
      // Spread out: many simultaneous connections are another experiment (F25).
      if (waiting.length % 50 === 0) {
        await send('/api/status', app.key)
      }
    }
    const claims = [
      send('/api/wait?timeout=25', offer.wait.token),
      send('/api/wait?timeout=25', offer.wait.token),
    ]
    // A request whose body has arrived only in part.
    const half = request({
      host: '127.0.0.1',
      port: PORT,
      method: 'POST',
      path: `/edge/auth/${app.id}/verify`,
      headers: { 'Content-Type': 'application/json', 'Content-Length': 26 },
    })
    half.write('{"access_token"')
    const load = { succeeded: 0, failed: 0, wrong: [] as string[] }
    const sendRequests = async (): Promise<void> => {
      for (;;) {
        try {
          const { status } = await send('/api/status', app.key)
          if (status === 200) {
            load.succeeded += 1
          } else {
            load.wrong.push(`status ${status}`)
          }
        } catch (error) {
          // The port is closed. A connection that breaks during a response has another error code.
          if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
            return
          }
          if (++load.failed > 20) {
            return
          }
        }
      }
    }
    const clients = [sendRequests(), sendRequests(), sendRequests()]
    // The signal must arrive under load and with all long polls waiting, on fast and slow machines.
    await waitUntil('20 requests succeeded', async () => load.succeeded > 20)
    await waitUntil('all long polls are connected', async () => connected() > WAITING)
    // Connections are accepted in order: once a new one gets a response, all earlier ones have been accepted.
    await keepAliveClient(t, PORT).send('/healthz')

    const began = performance.now()
    service.child.kill('SIGTERM')
    await sleep(50)
    half.end(':"not-one"}')
    const [response] = await once(half, 'response')
    const { code, signal, stderr } = await service.ended
    const took = performance.now() - began
    await Promise.all(clients)

    assert.deepEqual([code, signal, stderr], [0, null, ''])
    assert.ok(took < STOP_WITHIN_MS, `the stop took ${Math.round(took)} ms`)
    assert.equal(response.statusCode, 200)
    for (const { status, text, connection } of await Promise.all(waiting)) {
      assert.deepEqual([status, text, connection], [200, '{"events":[]}', 'close'])
    }
    const statuses = (await Promise.all(claims)).map(
      ({ status, text }) => `${status} ${JSON.parse(text).status}`,
    )
    assert.deepEqual(statuses, ['200 pending', '200 pending'])
    assert.ok(load.succeeded > 20, `only ${load.succeeded} responses`)
    assert.deepEqual(load.wrong, [], 'no 5xx for a client that honors Connection: close')
    await assert.rejects(send('/healthz'), { code: 'ECONNREFUSED' })
    figure(
      t,
      `F3 [${engine}]: ${WAITING} long polls and ${load.succeeded} other requests got responses, 0 errors, exit 0 after ${seconds(took)}`,
    )
  })
}
