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

interface Heard {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
}

/** As a real client does it: over connections that are kept for the next request. */
function patient(t: TestContext, port: string) {
  const connections = new Connections({ keepAlive: true })
  t.after(() => connections.destroy())
  let count = 0
  return {
    connected: () => count,
    ask: (target: string, key?: string): Promise<Heard> =>
      new Promise((resolve, reject) => {
        const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
        const asked = get({ host: '127.0.0.1', port, path: target, headers, agent: connections }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text }),
          )
          response.on('error', reject)
        })
        asked.on('error', reject)
        asked.on('socket', (socket) => {
          if (socket.connecting) socket.once('connect', () => count++)
        })
      }),
  }
}

for (const engine of ENGINES) {
  test(`[${engine}] F3: SIGTERM under load with ${WAITING} long polls: waiters are answered, what runs is finished, and it exits 0`, async (t) => {
    const { cluster, app } = await createFixture(t, engine, { instances: 1 })
    const { service } = cluster.first
    const { PORT } = service.settings
    const { ask, connected } = patient(t, PORT)
    const guest = await newTenant(cluster.first)
    const offer = await requestClaim(guest)
    const waiting: Promise<Heard>[] = []
    while (waiting.length < WAITING - 2) {
      waiting.push(ask('/api/social-login/events?wait=25', app.key))
      // Not all in one moment: that would be another experiment.
      if (waiting.length % 50 === 0) await ask('/api/status', app.key)
    }
    const claims = [ask('/api/wait?timeout=25', offer.wait.token), ask('/api/wait?timeout=25', offer.wait.token)]
    // A request of which only the first half has arrived.
    const half = request({
      host: '127.0.0.1',
      port: PORT,
      method: 'POST',
      path: `/edge/auth/${app.id}/verify`,
      headers: { 'Content-Type': 'application/json', 'Content-Length': 26 },
    })
    half.write('{"access_token"')
    const load = { answered: 0, refused: 0, wrong: [] as string[] }
    const busy = async (): Promise<void> => {
      for (;;) {
        try {
          const { status } = await ask('/api/status', app.key)
          if (status === 200) load.answered += 1
          else load.wrong.push(`status ${status}`)
        } catch (error) {
          // Nobody listens any more; a connection that was cut in the middle of an answer would say otherwise.
          if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return
          if (++load.refused > 20) return
        }
      }
    }
    const clients = [busy(), busy(), busy()]
    // The signal comes in the middle of the load, however quick the machine is, and once everybody waits.
    await waitUntil('there is load', async () => load.answered > 20)
    await waitUntil('everybody is connected', async () => connected() > WAITING)
    // Connections are taken in the order they came: once a new one is answered, all before it have been taken.
    await patient(t, PORT).ask('/healthz')

    const began = performance.now()
    service.child.kill('SIGTERM')
    await sleep(50)
    half.end(':"not-one"}')
    const [response] = await once(half, 'response')
    const { code, signal, stderr } = await service.ended
    const took = performance.now() - began
    await Promise.all(clients)

    assert.deepEqual([code, signal, stderr], [0, null, ''])
    assert.ok(took < STOP_WITHIN_MS, `it took ${Math.round(took)} ms`)
    assert.equal(response.statusCode, 200)
    for (const { status, text, connection } of await Promise.all(waiting)) {
      assert.deepEqual([status, text, connection], [200, '{"events":[]}', 'close'])
    }
    const statuses = (await Promise.all(claims)).map(({ status, text }) => `${status} ${JSON.parse(text).status}`)
    assert.deepEqual(statuses, ['200 pending', '200 pending'])
    assert.ok(load.answered > 20, `only ${load.answered} answers`)
    assert.deepEqual(load.wrong, [], 'no 5xx at a client that honours Connection: close')
    await assert.rejects(ask('/healthz'), { code: 'ECONNREFUSED' })
    figure(
      t,
      `F3 [${engine}]: ${WAITING} waiters answered, ${load.answered} requests of the load answered, 0 refused with a status, exit 0 after ${seconds(took)}`,
    )
  })
}
