import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy } from '../../support/faults/fault-proxy.ts'
import { figure, seconds } from '../../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../../support/faults/fixture.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { startPair } from '../../support/postgres/pg-pair.ts'
import { waitUntil, withinTwoSeconds } from '../../support/process/wait-until.ts'
import { long, slow } from '../../support/tags.ts'

const FEED_STALE_MS = 30_000

/** Two instances. The second is led to a standby that no longer receives changes, and then a session ends at the first. */
async function ledToStaleStandby(t: TestContext, policy: 'open' | 'closed') {
  const pair = await startPair({ synchronous: false })
  t.after(() => pair.stop())
  const proxy = await faultProxy(t, pair.primary.url)
  const fixture = await createFixture(t, 'postgres', {
    databases: [pair.primary.url, proxy.url],
    settings: { VERIFY_STALE_POLICY: policy },
  })
  const [a, b] = fixture.cluster.instances
  assert.ok(a && b)
  const [kept, ended] = [await newTokenPair(fixture), await newTokenPair(fixture)]
  await pair.lag()
  proxy.leadTo(pair.standby.url)
  proxy.dropConnections()
  const led = performance.now()
  const [atA, atB] = [fixture.app.at(a.agent), fixture.app.at(b.agent)]
  await waitUntil(
    'the instance has lost the primary',
    async () => (await b.agent.call('GET', '/readyz')).status === 503,
  )
  assert.equal((await atA.edge('logout', { refresh_token: ended.refresh_token })).status, 200)
  return { pair, proxy, cluster: fixture.cluster, a, b, atA, atB, kept, ended, led }
}

test('F38: an instance led to a stale standby serves verify, is not ready, and applies missed revocations once it is led back', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const { pair, proxy, cluster, a, b, atA, atB, kept, ended } = await ledToStaleStandby(t, 'open')
  assert.equal(await atA.isValid(ended.access_token), false)
  assert.equal(
    await atB.isValid(ended.access_token),
    true,
    'unknown here; the token expires within an hour',
  )
  assert.equal(await atB.isValid(kept.access_token), true)
  assert.equal((await atB.edge('refresh', { refresh_token: ended.refresh_token })).status, 503)
  assert.equal((await a.agent.call('GET', '/readyz')).status, 200)
  const stale = async (): Promise<number> =>
    Number(
      /^gatehouse_revocations_stale_seconds (\S+)$/m.exec(
        (await b.agent.call('GET', '/metrics')).text,
      )?.[1],
    )
  await waitUntil(
    'what the standby returns does not count as up to date',
    async () => (await stale()) > 3,
  )

  proxy.leadTo(pair.primary.url)
  const back = performance.now()
  await waitUntil('it is up to date', async () => (await stale()) === 0)
  await withinTwoSeconds(
    'the missed revocation is applied',
    async () => !(await atB.isValid(ended.access_token)),
  )
  const applied = performance.now() - back
  await cluster.ready()
  assert.equal(await atB.isValid(kept.access_token), true)
  figure(
    t,
    `F38, open: not ready on the stale standby, revocation applied ${seconds(applied)} after being led back`,
  )
})

test('F38: with VERIFY_STALE_POLICY=closed an instance led to a stale standby returns 503 for verify after 30 seconds', {
  skip: sqliteOnly || long,
  timeout: FEED_STALE_MS + 120_000,
}, async (t) => {
  const { pair, proxy, atB, kept, ended, led } = await ledToStaleStandby(t, 'closed')
  await sleep(FEED_STALE_MS - 5_000 - (performance.now() - led))
  assert.equal(await atB.isValid(kept.access_token), true, 'I7: verify keeps working for a minute')
  const verify = (access_token: string) => atB.edge('verify', { access_token })
  await waitUntil(
    'verify returns 503',
    async () => (await verify(kept.access_token)).status === 503,
  )
  const unavailable = performance.now() - led
  assert.equal((await verify(ended.access_token)).status, 503)

  proxy.leadTo(pair.primary.url)
  let first = await verify(ended.access_token)
  await waitUntil('verify responds again', async () => {
    if (first.status === 503) {
      first = await verify(ended.access_token)
    }
    return first.status !== 503
  })
  assert.deepEqual(first.json, { valid: false }, 'the first response applies the missed revocation')
  assert.equal(await atB.isValid(kept.access_token), true)
  figure(
    t,
    `F38, closed: verify returned 503 ${seconds(unavailable)} after being led to the stale standby`,
  )
})
