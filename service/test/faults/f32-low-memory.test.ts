import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, createTraffic, newTokenPair } from '../support/faults/fixture.ts'
import { MemoryHog } from '../support/faults/memory-hog.ts'
import { measureMemory } from '../support/faults/memory-sampler.ts'
import { preload } from '../support/faults/preload.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { rssOf } from '../support/process/rss.ts'
import { long } from '../support/tags.ts'

const HEAP_MB = 64
const LOAD_MS = fullOrShort(60_000, 15_000)
const ALARMING = 200
/** Of what the machine has left, and not more than so much: the short run is not the only one on its machine. */
const TAKEN = fullOrShort(
  { words: '70 %', share: 0.7, atMostMb: Infinity },
  { words: '2 GB, but no more than a quarter,', share: 0.25, atMostMb: 2_048 },
)
const MEGABYTE = 1_024 * 1_024

// A process that is given little meets its own wall; one on a machine that has little left, everybody's.
for (const engine of ENGINES) {
  test(`[${engine}] F32: with a heap of ${HEAP_MB} MB it serves mixed load and hundreds of large bodies, and neither dies nor grows`, {
    skip: long,
    timeout: LOAD_MS + 60_000,
  }, async (t) => {
    const settings = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
    const { cluster, app } = await createFixture(t, engine, { settings, instances: 1 })
    const idle = await rssOf(cluster.first.pid)
    const { traffic, ledger } = await createTraffic(t, cluster)
    traffic.start()
    const end = performance.now() + LOAD_MS
    let most = idle
    const bodies = async (): Promise<void> => {
      const body = { feedback: 'x'.repeat(19_000) }
      while (performance.now() < end) {
        await Promise.all(
          Array.from({ length: ALARMING / 10 }, () => app.manage('POST', '/api/feedback/service', body)),
        )
        most = Math.max(most, await rssOf(cluster.first.pid))
        await sleep(50)
      }
    }
    await bodies()
    await traffic.stop()
    assert.ok(cluster.first.alive, 'it did not run out of memory')
    await traffic.settle()
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
    figure(
      t,
      `F32 [${engine}]: heap of ${HEAP_MB} MB, ${count(acknowledged)} acknowledged, 0 lost, ${Math.round(idle)} MB before and ${Math.round(most)} MB at most`,
    )
  })
}

for (const engine of ENGINES) {
  test(`[${engine}] F32: beside a program that takes ${TAKEN.words} of the memory that is left and never lets it rest, it serves mixed load, loses nothing and does not grow`, {
    skip: long || (process.availableMemory() > 0 ? false : 'this machine does not say how much memory is left'),
    timeout: LOAD_MS + 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, { instances: 1, settings: preload('collect-garbage') })
    const { cluster, app } = fixture
    const { access_token } = await newTokenPair(fixture)
    const { traffic, ledger } = await createTraffic(t, cluster)
    const idle = await rssOf(cluster.first.pid)
    const left = process.availableMemory() / MEGABYTE
    const taken = Math.min(left * TAKEN.share, TAKEN.atMostMb)
    const hog = await MemoryHog.start(t, taken)
    const probe = new VerifyProbe(t, app, cluster.first, access_token)
    traffic.start()
    let most = idle
    for (const end = performance.now() + LOAD_MS; performance.now() < end; await sleep(100)) {
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    await traffic.stop()
    const { calls, failures } = await probe.stop()
    assert.ok(hog.isRunning && hog.rounds > 0, 'the premise: it was there to the end')
    assert.ok(hog.allocatedMb >= taken / 2, `the premise: it held ${hog.allocatedMb} MB at the end`)
    assert.ok(cluster.first.alive, 'ours is not the one that the system ended')
    assert.deepEqual(failures, [], 'I7: verify keeps answering')
    const { mb, garbageMb } = await measureMemory(cluster.first)
    const kept = mb - garbageMb
    await hog.stop()
    await traffic.settle()
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
    figure(
      t,
      `F32 [${engine}]: ${count(hog.allocatedMb)} of ${count(Math.round(left))} MB taken and written to ${hog.rounds} times, ${count(acknowledged)} acknowledged, 0 lost, ${count(calls)} verifications (99 % within ${probe.p99()} ms), ${Math.round(idle)} MB before, ${Math.round(most)} MB at most and ${Math.round(kept)} MB afterwards without its garbage`,
    )
  })
}
