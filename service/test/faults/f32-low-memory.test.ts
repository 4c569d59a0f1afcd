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
const LARGE_BODIES = 20
/** The share of the available memory that the other process allocates; less in the short run, which runs beside others. */
const HOG = fullOrShort(
  { words: '70 %', share: 0.7, maxMb: Infinity },
  { words: '2 GB, but at most a quarter,', share: 0.25, maxMb: 2_048 },
)
const MEGABYTE = 1_024 * 1_024

// The first test limits the process's own heap, the second the memory of the machine.
for (const engine of ENGINES) {
  test(`[${engine}] F32: with a heap of ${HEAP_MB} MB the service handles mixed load and large bodies without crashing or growing`, {
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
          Array.from({ length: LARGE_BODIES }, () =>
            app.manage('POST', '/api/feedback/service', body),
          ),
        )
        most = Math.max(most, await rssOf(cluster.first.pid))
        await sleep(50)
      }
    }
    await bodies()
    await traffic.stop()
    assert.ok(cluster.first.alive, 'the process ran out of memory')
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
  test(`[${engine}] F32: beside a process that allocates ${HOG.words} of the available memory, the service handles mixed load without loss or growth`, {
    skip:
      long ||
      (process.availableMemory() > 0 ? false : 'this system does not report its available memory'),
    timeout: LOAD_MS + 120_000,
  }, async (t) => {
    const fixture = await createFixture(t, engine, {
      instances: 1,
      settings: preload('collect-garbage'),
    })
    const { cluster, app } = fixture
    const { access_token } = await newTokenPair(fixture)
    const { traffic, ledger } = await createTraffic(t, cluster)
    const idle = await rssOf(cluster.first.pid)
    const available = process.availableMemory() / MEGABYTE
    const wanted = Math.min(available * HOG.share, HOG.maxMb)
    const hog = await MemoryHog.start(t, wanted)
    const probe = new VerifyProbe(t, app, cluster.first, access_token)
    traffic.start()
    let most = idle
    for (const end = performance.now() + LOAD_MS; performance.now() < end; await sleep(100)) {
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    await traffic.stop()
    const { calls, failures } = await probe.stop()
    assert.ok(hog.isRunning && hog.rounds > 0, 'precondition: the other process ran until the end')
    assert.ok(
      hog.allocatedMb >= wanted / 2,
      `precondition: it had ${hog.allocatedMb} MB at the end`,
    )
    assert.ok(cluster.first.alive, 'the system did not kill the service')
    assert.deepEqual(failures, [], 'I7: verify keeps working')
    const { mb, garbageMb } = await measureMemory(cluster.first)
    const live = mb - garbageMb
    await hog.stop()
    await traffic.settle()
    const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
    figure(
      t,
      `F32 [${engine}]: ${count(hog.allocatedMb)} of ${count(Math.round(available))} MB allocated and written to ${hog.rounds} times, ${count(acknowledged)} acknowledged, 0 lost, ${count(calls)} verifications (99 % within ${probe.p99()} ms), ${Math.round(idle)} MB before, ${Math.round(most)} MB at most and ${Math.round(live)} MB afterwards without garbage`,
    )
  })
}
