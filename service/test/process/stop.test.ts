import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent as Connections, get, request } from 'node:http'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshFolder } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { BEHIND_A_PROXY, newTenant, startService } from '../support/service-process.ts'
import { soon } from '../support/soon.ts'

interface Heard {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
}

/** As a real client does it: over connections that are kept for the next request. */
function patient(t: TestContext, port: string) {
  const connections = new Connections({ keepAlive: true })
  t.after(() => connections.destroy())
  return {
    ask: (target: string, key?: string): Promise<Heard> =>
      new Promise((resolve, reject) => {
        const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
        get({ host: '127.0.0.1', port, path: target, headers, agent: connections }, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, text }),
          )
          answer.on('error', reject)
        }).on('error', reject)
      }),
  }
}

test('SIGTERM under load: waiters are answered, what runs is finished, and it exits 0 at once', async (t) => {
  const service = await startService(t, BEHIND_A_PROXY)
  const { PORT } = service.settings
  const tenant = await newTenant(service)
  const { ask } = patient(t, PORT)
  const waiting = Array.from({ length: 60 }, () => ask('/api/social-login/events?wait=25', tenant.key))
  // A request of which only the first half has arrived.
  const half = request({
    host: '127.0.0.1',
    port: PORT,
    method: 'POST',
    path: `/edge/auth/${tenant.id}/verify`,
    headers: { 'Content-Type': 'application/json', 'Content-Length': 26 },
  })
  half.write('{"access_token"')
  const load = { answered: 0, refused: 0, wrong: [] as string[] }
  const busy = async (): Promise<void> => {
    for (;;) {
      try {
        const { status } = await ask('/api/status', tenant.key)
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
  // The signal comes in the middle of the load, however quick the machine is.
  await soon('there is load', async () => load.answered > 20, 20_000)

  const began = performance.now()
  service.child.kill('SIGTERM')
  await sleep(50)
  half.end(':"not-one"}')
  const [answer] = await once(half, 'response')
  const { code, signal, stderr } = await service.ended
  const took = performance.now() - began
  await Promise.all(clients)

  assert.deepEqual([code, signal, stderr], [0, null, ''])
  assert.ok(took < 3_000, `it took ${Math.round(took)} ms`)
  assert.equal(answer.statusCode, 200)
  for (const { status, text, connection } of await Promise.all(waiting)) {
    assert.deepEqual([status, text, connection], [200, '{"events":[]}', 'close'])
  }
  assert.ok(load.answered > 20, `only ${load.answered} answers`)
  assert.deepEqual(load.wrong, [])
  await assert.rejects(ask('/healthz'), { code: 'ECONNREFUSED' })
})

test('whoever reads its log may go away, and it serves on', async (t) => {
  const PORT = String(await freePort())
  const start = path.resolve(import.meta.dirname, '../../src/start.js')
  const DATA_DIR = path.join(await freshFolder(), 'data')
  const child = spawn(process.execPath, [start], {
    env: { DATA_DIR, PORT },
    cwd: await freshFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  child.stderr.destroy()
  const { ask } = patient(t, PORT)
  for (let times = 0; times < 30; times++) assert.equal((await ask('/healthz')).status, 200)
  assert.equal(child.exitCode, null)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
