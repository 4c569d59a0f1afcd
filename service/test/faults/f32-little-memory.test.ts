import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINES } from '../support/engines.ts'
import { rssOf } from '../support/rss.ts'
import { count, figure, inFull } from './support/figures.ts'
import { invariantsHold } from './support/invariants.ts'
import { scene, underLoad } from './support/scene.ts'

const HEAP_MB = 64
const LOAD_MS = inFull(60_000, 15_000)
const ALARMING = 200

// A machine without memory is not one that a test may make; a process that is given little meets the same wall.
for (const engine of ENGINES) {
  test(`[${engine}] F32: with a heap of ${HEAP_MB} MB it serves mixed load and hundreds of large bodies, and neither dies nor grows`, {
    timeout: LOAD_MS + 60_000,
  }, async (t) => {
    const settings = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
    const { cluster, app } = await scene(t, engine, { settings, instances: 1 })
    const idle = await rssOf(cluster.first.pid)
    const { traffic, ledger } = await underLoad(t, cluster)
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
    const { acknowledged } = await invariantsHold(cluster, ledger, traffic)
    assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
    figure(
      t,
      `F32 [${engine}]: heap of ${HEAP_MB} MB, ${count(acknowledged)} acknowledged, 0 lost, ${Math.round(idle)} MB before and ${Math.round(most)} MB at most`,
    )
  })
}
