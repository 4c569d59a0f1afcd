import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import type { Settings } from '../support/process/service-process.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const PARTITION_MS = fullOrShort(120_000, 36_000)
const FEED_STALE_MS = 30_000
const UNAVAILABLE_MS = fullOrShort(60_000, 5_000)

/** Two instances. The second is partitioned from the database, then a session ends at the first. */
async function partition(t: TestContext, settings: Settings = {}) {
  const database = await freshPostgres()
  const proxy = await faultProxy(t, database)
  const fixture = await createFixture(t, 'postgres', { databases: [database, proxy.url], settings })
  const { cluster } = fixture
  const [a, b] = cluster.instances
  assert.ok(a && b)
  const [atA, atB] = [fixture.app.at(a.agent), fixture.app.at(b.agent)]
  const kept = await newTokenPair(fixture)
  const ended = await newTokenPair(fixture)
  proxy.blackhole()
  const partitioned = performance.now()
  const probe = new VerifyProbe(t, fixture.app, b, kept.access_token)
  assert.equal((await atA.edge('logout', { refresh_token: ended.refresh_token })).status, 200)
  return { proxy, cluster, a, b, atA, atB, kept, ended, probe, partitioned }
}

// proves S022
test(`F10: an instance partitioned from the database for ${PARTITION_MS / 1_000} s serves verify, reports not ready, and applies missed revocations within 2 s afterwards`, {
  skip: long,
  timeout: PARTITION_MS + 60_000,
}, async (t) => {
  const { proxy, cluster, a, b, atA, atB, kept, ended, probe, partitioned } = await partition(t)
  assert.equal(await atA.isValid(ended.access_token), false)
  assert.equal(
    await atB.isValid(ended.access_token),
    true,
    'unknown here; the token expires within an hour',
  )
  assert.equal((await atB.edge('refresh', { refresh_token: ended.refresh_token })).status, 503)

  const reasons = async (): Promise<string[]> =>
    (await b.agent.call('GET', '/readyz')).json.reasons ?? []
  await waitUntil('/readyz reports stale revocations', async () => (await reasons()).length === 2)
  const stale = performance.now() - partitioned
  assert.deepEqual((await reasons()).sort(), [
    'a database is out of reach',
    'revocations are out of date',
  ])
  assert.equal((await a.agent.call('GET', '/readyz')).status, 200)
  await sleep(Math.max(0, PARTITION_MS - (performance.now() - partitioned)))

  proxy.heal()
  const healed = performance.now()
  await withinTwoSeconds(
    'the missed revocation is applied',
    async () => !(await atB.isValid(ended.access_token)),
  )
  const applied = performance.now() - healed
  const ready = await cluster.ready()
  assert.deepEqual((await probe.stop()).failures, [], 'I7: verify kept working')
  assert.equal((await atB.edge('refresh', { refresh_token: kept.refresh_token })).status, 200)
  figure(
    t,
    `F10: partitioned for ${seconds(PARTITION_MS)}, not ready after ${seconds(stale)}, ${probe.calls} verifications (99 % within ${probe.p99()} ms), revocation applied ${seconds(applied)} and ready ${seconds(ready)} after the partition`,
  )
})

// proves S022
test('F10: with VERIFY_STALE_POLICY=closed a partitioned instance serves verify for 30 seconds, then returns 503, and never a wrong result', {
  skip: long,
  timeout: FEED_STALE_MS + UNAVAILABLE_MS + 60_000,
}, async (t) => {
  const { proxy, atA, atB, kept, ended, probe, partitioned } = await partition(t, {
    VERIFY_STALE_POLICY: 'closed',
  })
  await sleep(FEED_STALE_MS - 5_000)
  assert.deepEqual(probe.failures, [], 'I7: verify keeps working for a minute')
  const verify = (access_token: string, more = {}) => atB.edge('verify', { access_token, ...more })
  await waitUntil(
    'verify returns 503',
    async () => (await verify(kept.access_token)).status === 503,
  )
  const unavailableAfter = performance.now() - partitioned
  for (const token of [kept.access_token, ended.access_token, 'garbage']) {
    for (const response of [await verify(token), await verify(token, { extra: 1 })]) {
      assert.deepEqual(
        [response.status, response.json.error?.code],
        [503, 'temporarilyUnavailable'],
      )
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
  }
  assert.equal(await atA.isValid(kept.access_token), true, 'the other instance is connected')
  await sleep(UNAVAILABLE_MS)

  proxy.heal()
  const healed = performance.now()
  let first = await verify(ended.access_token)
  await waitUntil('verify responds again', async () => {
    if (first.status === 503) {
      first = await verify(ended.access_token)
    }
    return first.status !== 503
  })
  const recovered = performance.now() - healed
  assert.deepEqual(first.json, { valid: false }, 'the first response applies the missed revocation')
  assert.equal(await atB.isValid(kept.access_token), true)
  const { failures } = await probe.stop()
  assert.ok(failures.length > 0)
  assert.deepEqual(
    failures.filter((response) => !response.startsWith('503 ')),
    [],
    'never "invalid"',
  )
  figure(
    t,
    `F10, closed: ${probe.calls} verifications, 503 after ${seconds(unavailableAfter)}, ${failures.length} got 503 and none "invalid", verify works ${seconds(recovered)} after the partition`,
  )
})
