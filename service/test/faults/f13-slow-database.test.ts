import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

const AT_ONCE = 400
const ANSWERED_WITHIN_MS = 15_000

test(`F13: with every answer of the database 200 to 300 ms late, ${AT_ONCE} at once are answered or told to come back, and verify is as quick as ever`, {
  skip: long,
  timeout: 90_000,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const fixture = await createFixture(t, 'postgres', { databases: [proxy.url], instances: 1 })
  const { cluster, app } = fixture
  const { access_token, refresh_token } = await newTokenPair(fixture)
  proxy.delay(200, 100)
  const probe = new VerifyProbe(t, app, cluster.first, access_token)
  const began = performance.now()
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const { status } = await app.manage('GET', '/api/status')
      return { status, took: performance.now() - began }
    }),
  )
  const { calls, failures } = await probe.stop()
  const waiting = await cluster.first.agent.call('GET', '/metrics')
  proxy.heal()
  const ready = await cluster.ready()
  const answered = responses.filter(({ status }) => status === 200).length
  const slowest = Math.max(...responses.map(({ took }) => took))
  assert.deepEqual(cluster.seen.violations, [])
  assert.ok(responses.every(({ status }) => status === 200 || status === 503))
  assert.ok(answered > 0 && answered < AT_ONCE, `${answered} answered: some are, and the queue is bounded`)
  assert.ok(slowest < ANSWERED_WITHIN_MS, `the last was answered after ${seconds(slowest)}`)
  assert.match(waiting.text, /^gatehouse_pool_waiting 0$/m)
  assert.deepEqual(failures, [], 'I7: verify keeps answering')
  assert.ok(probe.p99() < 200, `I9: 99 % of verifications within ${probe.p99()} ms`)
  await app.refresh(refresh_token)
  figure(
    t,
    `F13: ${answered} of ${AT_ONCE} answered and the others told to come back, all within ${seconds(slowest)}; ${calls} verifications, 99 % within ${probe.p99()} ms; ready ${seconds(ready)} later`,
  )
})
