import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { failoverFixture, followPrimary } from '../../support/faults/failover.ts'
import { count, figure, fullOrShort, seconds, timeBound } from '../../support/faults/figures.ts'
import { createTraffic, newTokenPair } from '../../support/faults/fixture.ts'
import { VerifyProbe } from '../../support/faults/verify-probe.ts'
import { assertInvariants } from '../../support/ledger/invariants.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

const ROUNDS = fullOrShort(10, 1)
const FIRST_WRITE_MS = timeBound(2_000)

test(`F35: killing the primary of a synchronous standby ${ROUNDS} times under load loses and repeats no acknowledged change`, {
  skip: sqliteOnly || slow,
  timeout: 60_000 + ROUNDS * 40_000,
}, async (t) => {
  const fixture = await failoverFixture(t, { synchronous: true, connect: 'hosts' })
  const { pair, cluster, app } = fixture
  const { traffic, ledger } = await createTraffic(t, cluster)
  let since = 0
  let revokedTokens = 0
  let slowestWrite = 0
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) {
      await pair.rejoin()
    }
    const kept = await newTokenPair(fixture)
    const probes = cluster.instances.map(
      (instance) => new VerifyProbe(t, app, instance, kept.access_token),
    )
    traffic.start()
    await ledger.next(5)
    await sleep(Math.random() * fullOrShort(1_000, 300))
    await pair.kill()
    await sleep(Math.random() * 500)
    await pair.promote()
    const promoted = performance.now()
    const { refresh_token } = kept
    // The key makes a retry after a lost response safe.
    const refresh = () =>
      app
        .at(cluster.any().agent)
        .edge('refresh', { refresh_token }, { 'Idempotency-Key': `first-write-${round}` })
    await Promise.all(probes.map((probe) => probe.stop()))
    let first = await refresh()
    await waitUntil('a write succeeds', async () => {
      if (first.status === 503) {
        first = await refresh()
      }
      return first.status !== 503
    })
    assert.equal(first.status, 200, first.text)
    slowestWrite = Math.max(slowestWrite, performance.now() - promoted)
    for (const { failures } of probes) {
      assert.deepEqual(failures, [], 'I7: verify keeps working')
    }

    followPrimary(fixture)
    await cluster.ready()
    await ledger.next(5)
    await traffic.stop()
    await traffic.settle(timeBound(10_000))
    const result = await assertInvariants(cluster, ledger, traffic, since)
    since = result.acknowledged
    revokedTokens += result.revokedTokens
  }
  assert.ok(slowestWrite < FIRST_WRITE_MS, `the first write took ${Math.round(slowestWrite)} ms`)
  const [row] = await raw(cluster.database, 'select timeline from lineage')
  assert.equal(row?.timeline, String(ROUNDS + 1))
  figure(
    t,
    `F35: ${ROUNDS} failovers, ${count(since)} acknowledged, 0 lost, 0 duplicated, ${count(revokedTokens)} checks of revoked tokens and none valid, first write at most ${seconds(slowestWrite)} after the promotion (${cluster.seen})`,
  )
})
