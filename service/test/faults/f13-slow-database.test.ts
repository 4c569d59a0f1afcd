import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { Pulse } from '../support/faults/pulse.ts'
import { pairFor, scene } from '../support/faults/scene.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

const AT_ONCE = 400
const ANSWERED_WITHIN_MS = 15_000

test(`F13: with every answer of the database 200 to 300 ms late, ${AT_ONCE} at once are answered or told to come back, and verify is as quick as ever`, {
  skip: long,
  timeout: 90_000,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const all = await scene(t, 'postgres', { databases: [proxy.url], instances: 1 })
  const { cluster, app } = all
  const { access_token, refresh_token } = await pairFor(all)
  proxy.delay(200, 100)
  const pulse = new Pulse(t, app, cluster.first, access_token)
  const began = performance.now()
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const { status } = await app.manage('GET', '/api/status')
      return { status, took: performance.now() - began }
    }),
  )
  const { beats, wrong } = await pulse.stop()
  const waiting = await cluster.first.agent.call('GET', '/metrics')
  proxy.mend()
  const ready = await cluster.ready()
  const answered = responses.filter(({ status }) => status === 200).length
  const slowest = Math.max(...responses.map(({ took }) => took))
  assert.deepEqual(cluster.seen.wrong, [])
  assert.ok(responses.every(({ status }) => status === 200 || status === 503))
  assert.ok(answered > 0 && answered < AT_ONCE, `${answered} answered: some are, and the queue is bounded`)
  assert.ok(slowest < ANSWERED_WITHIN_MS, `the last was answered after ${seconds(slowest)}`)
  assert.match(waiting.text, /^gatehouse_pool_waiting 0$/m)
  assert.deepEqual(wrong, [], 'I7: verify keeps answering')
  assert.ok(pulse.p99() < 200, `I9: 99 % of verifications within ${pulse.p99()} ms`)
  await app.refresh(refresh_token)
  figure(
    t,
    `F13: ${answered} of ${AT_ONCE} answered and the others told to come back, all within ${seconds(slowest)}; ${beats} verifications, 99 % within ${pulse.p99()} ms; ready ${seconds(ready)} later`,
  )
})
