import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshPostgres } from '../support/engines.ts'
import { startService } from '../support/service-process.ts'

const GOOGLE = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }

/** Which processes answered: each request on a connection of its own, so the kernel deals them out. */
async function pidsOf(output: () => string): Promise<Set<string>> {
  return new Set([...output().matchAll(/"pid":(\d+)[^\n]*"route"/g)].map((match) => match[1] ?? ''))
}

test('two workers share the port and both answer; one that dies is replaced; SIGTERM ends all with 0', async (t) => {
  const service = await startService(t, { WORKERS: '2', DATABASE_URL: await freshPostgres(), ...GOOGLE })
  await sleep(2_500)
  for (let call = 0; call < 40; call++) assert.equal((await service.agent.call('GET', '/healthz')).status, 200)
  const pids = await pidsOf(service.output)
  assert.equal(pids.size, 2)

  const [victim] = pids
  process.kill(Number(victim), 'SIGKILL')
  await sleep(4_000)
  for (let call = 0; call < 40; call++) assert.equal((await service.agent.call('GET', '/healthz')).status, 200)
  assert.equal((await pidsOf(service.output)).size, 3)

  const { code } = await service.end('SIGTERM')
  assert.equal(code, 0)
  await assert.rejects(service.agent.call('GET', '/healthz'))
})

test('a worker that cannot start says why once, and the whole ends with 1', async (t) => {
  await assert.rejects(
    startService(t, { WORKERS: '2', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...GOOGLE }),
    /PostgreSQL cannot be used/,
  )
})
