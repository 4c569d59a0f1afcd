import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'

const KILLS: Readonly<Record<Engine, number>> = fullOrShort(
  { sqlite: 200, postgres: 200 },
  { sqlite: 6, postgres: 4 },
)
/** Before each kill, so that a slow machine also has something to lose. */
const ACKNOWLEDGED = 5
const LONGEST_MS = fullOrShort(3_000, 500)
const START_MS = timeBound(3_000)

for (const engine of ENGINES) {
  const kills = KILLS[engine]
  const victims = engine === 'postgres' ? 'one of two instances' : 'the only instance'
  test(`[${engine}] F1: killing ${victims} ${kills} times under mixed load loses no acknowledged change`, {
    timeout: 60_000 + kills * 15_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine)
    const { traffic, ledger } = await createTraffic(t, cluster)

    let slowestStart = 0
    let since = 0
    let revokedTokens = 0
    for (let round = 0; round < kills; round++) {
      const victim = cluster.instances[round % cluster.instances.length]
      assert.ok(victim)
      traffic.start()
      await ledger.next(ACKNOWLEDGED)
      await sleep(Math.random() * LONGEST_MS)
      assert.equal((await victim.end('SIGKILL')).signal, 'SIGKILL')
      // The other instance keeps serving; interrupted clients retry there.
      if (cluster.instances.length > 1) {
        await ledger.next()
      }
      await traffic.stop()
      const startMs = await victim.restart()
      slowestStart = Math.max(slowestStart, startMs)
      assert.ok(startMs < START_MS, `the start took ${Math.round(startMs)} ms`)
      await traffic.settle()
      const result = await assertInvariants(cluster, ledger, traffic, since)
      since = result.acknowledged
      revokedTokens += result.revokedTokens
    }
    figure(
      t,
      `F1 [${engine}]: ${kills} kills, ${count(since)} acknowledged, 0 lost, 0 duplicated, ${count(revokedTokens)} checks of revoked tokens and none valid, slowest start ${seconds(slowestStart)} (${cluster.seen})`,
    )
  })
}
