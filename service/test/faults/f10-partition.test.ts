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

const CUT_OFF_MS = fullOrShort(120_000, 36_000)
const OUT_OF_TOUCH_MS = 60_000
const REFUSING_MS = fullOrShort(60_000, 5_000)

/** Two instances; the second is cut off, and then a session is ended at the first. */
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
  const cutOff = performance.now()
  const probe = new VerifyProbe(t, fixture.app, b, kept.access_token)
  assert.equal((await atA.edge('logout', { refresh_token: ended.refresh_token })).status, 200)
  return { proxy, cluster, a, b, atA, atB, kept, ended, probe, cutOff }
}

test(`F10: an instance that is cut off for ${CUT_OFF_MS / 1_000} s answers verify, says that it is not ready, and knows within 2 s of coming back`, {
  skip: long,
  timeout: CUT_OFF_MS + 60_000,
}, async (t) => {
  const { proxy, cluster, a, b, atA, atB, kept, ended, probe, cutOff } = await partition(t)
  assert.equal(await atA.isValid(ended.access_token), false)
  assert.equal(await atB.isValid(ended.access_token), true, 'it cannot know, and an hour bounds what it does not know')
  assert.equal((await atB.edge('refresh', { refresh_token: ended.refresh_token })).status, 503)

  const reasons = async (): Promise<string[]> => (await b.agent.call('GET', '/readyz')).json.reasons ?? []
  await waitUntil('it says that its revocations are out of date', async () => (await reasons()).length === 2)
  const stale = performance.now() - cutOff
  assert.deepEqual((await reasons()).sort(), ['a database is out of reach', 'revocations are out of date'])
  assert.equal((await a.agent.call('GET', '/readyz')).status, 200)
  await sleep(Math.max(0, CUT_OFF_MS - (performance.now() - cutOff)))

  proxy.heal()
  const mended = performance.now()
  await withinTwoSeconds('it knows what was ended meanwhile', async () => !(await atB.isValid(ended.access_token)))
  const known = performance.now() - mended
  const ready = await cluster.ready()
  assert.deepEqual((await probe.stop()).failures, [], 'I7: verify kept answering')
  assert.equal((await atB.edge('refresh', { refresh_token: kept.refresh_token })).status, 200)
  figure(
    t,
    `F10: cut off for ${seconds(CUT_OFF_MS)}, not ready after ${seconds(stale)}, ${probe.calls} verifications (99 % within ${probe.p99()} ms), revocation known ${seconds(known)} and ready ${seconds(ready)} after the cut was mended`,
  )
})

test('F10: with VERIFY_STALE_POLICY=closed an instance that is cut off answers for a minute, then refuses for now, and says nothing wrong when it is back', {
  skip: long,
  timeout: OUT_OF_TOUCH_MS + REFUSING_MS + 60_000,
}, async (t) => {
  const { proxy, atA, atB, kept, ended, probe, cutOff } = await partition(t, { VERIFY_STALE_POLICY: 'closed' })
  await sleep(OUT_OF_TOUCH_MS - 5_000)
  assert.deepEqual(probe.failures, [], 'I7: it goes on for now')
  const verify = (access_token: string, more = {}) => atB.edge('verify', { access_token, ...more })
  await waitUntil('it refuses', async () => (await verify(kept.access_token)).status === 503)
  const refused = performance.now() - cutOff
  for (const token of [kept.access_token, ended.access_token, 'garbage']) {
    for (const response of [await verify(token), await verify(token, { extra: 1 })]) {
      assert.deepEqual([response.status, response.json.error?.code], [503, 'temporarilyUnavailable'])
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
  }
  assert.equal(await atA.isValid(kept.access_token), true, 'the other one is in touch')
  await sleep(REFUSING_MS)

  proxy.heal()
  const mended = performance.now()
  let first = await verify(ended.access_token)
  await waitUntil('it answers', async () => {
    if (first.status === 503) first = await verify(ended.access_token)
    return first.status !== 503
  })
  const answering = performance.now() - mended
  assert.deepEqual(first.json, { valid: false }, 'its first answer knows what was ended meanwhile')
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
    `F10, closed: ${probe.calls} verifications, refused after ${seconds(refused)}, ${failures.length} answered 503 and none "invalid", answering ${seconds(answering)} after the cut was mended`,
  )
})
