import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'

const KILLS: Readonly<Record<Engine, number>> = fullOrShort(
  { sqlite: 200, postgres: 200 },
  { sqlite: 20, postgres: 10 },
)
const BOOT_MS = timeBound(3_000)

for (const engine of ENGINES) {
  const kills = KILLS[engine]
  const how = engine === 'postgres' ? 'one of two instances is' : 'it is'
  test(`[${engine}] F1: ${how} killed ${kills} times under mixed load, and nothing that was acknowledged is lost`, {
    timeout: 60_000 + kills * 15_000,
  }, async (t) => {
    const { cluster } = await createFixture(t, engine)
    const { traffic, ledger } = await createTraffic(t, cluster)

    let slowestBoot = 0
    let since = 0
    let deadTokens = 0
    for (let round = 0; round < kills; round++) {
      const victim = cluster.instances[round % cluster.instances.length]
      assert.ok(victim)
      traffic.start()
      await sleep(Math.random() * 3_000)
      assert.equal((await victim.end('SIGKILL')).signal, 'SIGKILL')
      // Where there is another, it serves on; whoever was in the middle of something here asks there.
      if (cluster.instances.length > 1) await sleep(200)
      await traffic.stop()
      const boot = await victim.restart()
      slowestBoot = Math.max(slowestBoot, boot)
      assert.ok(boot < BOOT_MS, `it took ${Math.round(boot)} ms to start`)
      await traffic.settle()
      const held = await assertInvariants(cluster, ledger, traffic, since)
      since = held.acknowledged
      deadTokens += held.deadTokens
    }
    figure(
      t,
      `F1 [${engine}]: ${kills} kills, ${count(since)} acknowledged, 0 lost, 0 doubled, ${count(deadTokens)} looks at dead tokens and none alive, slowest boot ${seconds(slowestBoot)} (${cluster.seen})`,
    )
  })
}
