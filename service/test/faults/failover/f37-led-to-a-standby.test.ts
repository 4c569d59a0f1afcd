import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failoverFixture } from '../../support/faults/failover.ts'
import { figure, seconds } from '../../support/faults/figures.ts'
import { newTokenPair } from '../../support/faults/fixture.ts'
import { VerifyProbe } from '../../support/faults/verify-probe.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

test('F37: while the name of the database leads to a standby, requests get 503; led back, they work without a restart', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const fixture = await failoverFixture(t, { synchronous: true, connect: 'name' })
  const { pair, proxy, cluster, app } = fixture
  const kept = await newTokenPair(fixture)
  const probes = cluster.instances.map(
    (instance) => new VerifyProbe(t, app, instance, kept.access_token),
  )

  proxy.leadTo(pair.standby.url)
  proxy.dropConnections()
  for (const { agent } of cluster.instances) {
    const at = app.at(agent)
    const refresh = await at.edge('refresh', { refresh_token: kept.refresh_token })
    assert.deepEqual([refresh.status, refresh.json.error?.code], [503, 'temporarilyUnavailable'])
    assert.match(refresh.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(
      (await at.manage('GET', '/api/social-login/users')).status,
      503,
      'its rows may be out of date',
    )
    const ready = await agent.call('GET', '/readyz')
    assert.deepEqual(
      [ready.status, ready.json.reasons],
      [503, ['no PostgreSQL server accepts writes']],
    )
  }
  const stale = async (): Promise<boolean> => {
    const { text } = await cluster.first.agent.call('GET', '/metrics')
    return Number(/^gatehouse_revocations_stale_seconds (\S+)$/m.exec(text)?.[1]) > 0
  }
  await waitUntil('what the standby returns does not count as up to date', stale)

  proxy.leadTo(pair.primary.url)
  const led = performance.now()
  let pairNow = await app.edge('refresh', { refresh_token: kept.refresh_token })
  await waitUntil('a write succeeds', async () => {
    if (pairNow.status !== 200) {
      pairNow = await app.edge('refresh', { refresh_token: kept.refresh_token })
    }
    return pairNow.status === 200
  })
  const firstWrite = performance.now() - led
  await cluster.ready()
  for (const probe of probes) {
    const { failures } = await probe.stop()
    assert.deepEqual(
      failures.filter((text) => text !== '200 {"valid":false}'),
      [],
      'I7: verify keeps working until the refresh replaces the token',
    )
  }
  await waitUntil('it is up to date again', async () => !(await stale()))
  assert.doesNotMatch(cluster.log, /timeline 2/, 'no failover happened')
  figure(
    t,
    `F37: 503 while led to the standby, first write ${seconds(firstWrite)} after being led back`,
  )
})
