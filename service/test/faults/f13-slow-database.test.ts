import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

const CONCURRENT = 400
const RESPONSE_WITHIN_MS = 15_000

test(`F13: with every database response 200 to 300 ms late, ${CONCURRENT} concurrent requests get 200 or 503, and verify is unaffected`, {
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
    Array.from({ length: CONCURRENT }, async () => {
      const { status } = await app.manage('GET', '/api/status')
      return { status, took: performance.now() - began }
    }),
  )
  const { calls, failures } = await probe.stop()
  const waiting = await cluster.first.agent.call('GET', '/metrics')
  proxy.heal()
  const ready = await cluster.ready()
  const succeeded = responses.filter(({ status }) => status === 200).length
  const slowest = Math.max(...responses.map(({ took }) => took))
  assert.deepEqual(cluster.seen.violations, [])
  assert.ok(responses.every(({ status }) => status === 200 || status === 503))
  assert.ok(
    succeeded > 0 && succeeded < CONCURRENT,
    `${succeeded} succeeded: the queue must be bounded`,
  )
  assert.ok(slowest < RESPONSE_WITHIN_MS, `the slowest response took ${seconds(slowest)}`)
  assert.match(waiting.text, /^gatehouse_pool_waiting 0$/m)
  assert.deepEqual(failures, [], 'I7: verify keeps working')
  assert.ok(probe.p99() < 200, `I9: 99 % of verifications within ${probe.p99()} ms`)
  await app.refresh(refresh_token)
  figure(
    t,
    `F13: ${succeeded} of ${CONCURRENT} succeeded and the others got 503, all within ${seconds(slowest)}; ${calls} verifications, 99 % within ${probe.p99()} ms; ready ${seconds(ready)} later`,
  )
})
