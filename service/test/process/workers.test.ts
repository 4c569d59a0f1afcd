import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshPostgres } from '../support/postgres/engines.ts'
import { type ServiceProcess, startService } from '../support/process/service-process.ts'

const GOOGLE = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }

/** Sends requests on new connections, which the kernel distributes, until this many processes have responded. */
async function respondingPids(service: ServiceProcess, processes: number): Promise<string[]> {
  for (let tries = 0; tries < 400; tries++) {
    const response = await service.agent.call('GET', '/healthz').catch(() => null)
    assert.ok(response === null || response.status === 200)
    const pids = new Set([...service.output().matchAll(/"pid":(\d+)[^\n]*"route"/g)].map((match) => match[1] ?? ''))
    if (pids.size >= processes) return [...pids]
    await sleep(50)
  }
  throw new Error(`fewer than ${processes} processes responded`)
}

test('two workers share the port, a killed worker is replaced, and SIGTERM stops all with exit code 0', async (t) => {
  const service = await startService(t, { WORKERS: '2', DATABASE_URL: await freshPostgres(), ...GOOGLE })
  const [victim] = await respondingPids(service, 2)
  process.kill(Number(victim), 'SIGKILL')
  assert.equal((await respondingPids(service, 3)).length, 3)

  const { code } = await service.end('SIGTERM')
  assert.equal(code, 0)
  await assert.rejects(service.agent.call('GET', '/healthz'))
})

test('a worker that cannot start reports the reason once, and the exit code is 1', async (t) => {
  await assert.rejects(
    startService(t, { WORKERS: '2', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...GOOGLE }),
    /PostgreSQL cannot be used/,
  )
})
