import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, seconds } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { long } from '../support/tags.ts'

// After a failed fsync the kernel may drop the dirty pages and report success for the next fsync. The only safe reaction
// is to exit and read the file again (fsyncgate, 2018).

const EXIT_WITHIN_MS = 5_000

test('F6: after a failed fsync the service acknowledges nothing more, exits with an error, and starts again with intact data', {
  skip: long,
  timeout: 60_000,
}, async (t) => {
  const { cluster } = await createFixture(t, 'sqlite', { settings: preload('failed-fsync') })
  const { traffic, ledger } = await createTraffic(t, cluster)
  traffic.start()
  await sleep(1_000)
  await signalPreload(cluster.first, 'fsync fails')
  const began = performance.now()
  const exit = await Promise.race([
    cluster.first.service.ended,
    sleep(EXIT_WITHIN_MS, null, { ref: false }),
  ])
  assert.ok(exit !== null, `still running ${EXIT_WITHIN_MS} ms after a failed fsync`)
  assert.ok(exit.code !== 0, 'the exit code reports the failure')
  const took = performance.now() - began
  await traffic.stop()
  await cluster.first.restart({ NODE_OPTIONS: '' })
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  figure(
    t,
    `F6: exit ${exit.code} after ${seconds(took)}, ${count(acknowledged)} acknowledged, 0 lost`,
  )
})

test('F6: a failing fsync system call (strace) has the same result', {
  skip: long || (canTrace() ? false : 'strace is not installed or not permitted'),
  timeout: 120_000,
}, async (t) => {
  const inject = 'trace=fdatasync,fsync'
  const fault = 'inject=fdatasync,fsync:error=EIO:when=150+'
  const wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', inject, '-e', fault]
  const { cluster } = await createFixture(t, 'sqlite', { launch: { wrapper } })
  const { traffic, ledger } = await createTraffic(t, cluster, 4)
  traffic.start()
  const exit = await Promise.race([
    cluster.first.service.ended,
    sleep(60_000, null, { ref: false }),
  ])
  assert.ok(exit !== null, 'still running although every fsync fails')
  assert.ok(exit.code !== 0)
  await traffic.stop()
  await cluster.first.restart({}, {})
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  figure(t, `F6 (strace): exit ${exit.code}, ${count(acknowledged)} acknowledged, 0 lost`)
})

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
