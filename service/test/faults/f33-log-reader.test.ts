import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { Agent } from '../support/actors/agent.ts'
import { Clock } from '../support/clock.ts'
import { figure, fullOrShort } from '../support/faults/figures.ts'
import { percentile } from '../support/ledger/observed-responses.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { ENTRY_POINTS } from '../support/process/entry-points.ts'
import { freePort } from '../support/transport/free-port.ts'
import { overHttp } from '../support/transport/http-transport.ts'

/** Their log lines fill a pipe's buffer of 64 kB more than twice. */
const REQUESTS = fullOrShort(3_000, 1_000)

/** Starts the service with its output piped to the test. */
async function startPiped(t: TestContext) {
  const PORT = String(await freePort())
  const DATA_DIR = path.join(await freshFolder(), 'data')
  const child = spawn(process.execPath, [ENTRY_POINTS.start], {
    env: { DATA_DIR, PORT },
    cwd: await freshFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { child, agent: new Agent(`http://localhost:${PORT}`, overHttp, new Clock()) }
}

async function assertServes(agent: Agent): Promise<number> {
  const took: number[] = []
  for (let sent = 0; sent < REQUESTS; sent += 10) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const began = performance.now()
        const { status } = await agent.call('GET', '/healthz')
        took.push(performance.now() - began)
        return status
      }),
    )
    assert.ok(responses.every((status) => status === 200))
  }
  return percentile(took, 0.99)
}

test('F33: the service keeps serving when its log reader exits', { timeout: 60_000 }, async (t) => {
  const { child, agent } = await startPiped(t)
  child.stdout.destroy()
  child.stderr.destroy()
  const p99 = await assertServes(agent)
  assert.equal(child.exitCode, null)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  figure(t, `F33 closed: ${REQUESTS} requests served, 99 % within ${Math.round(p99)} ms, exit 0`)
})

test('F33: the service keeps serving when its log reader stops reading', {
  timeout: 60_000,
}, async (t) => {
  const { child, agent } = await startPiped(t)
  child.stdout.pause()
  const p99 = await assertServes(agent)
  assert.equal(child.exitCode, null)
  child.stdout.resume()
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  figure(t, `F33 stuck: ${REQUESTS} requests served, 99 % within ${Math.round(p99)} ms, exit 0`)
})
