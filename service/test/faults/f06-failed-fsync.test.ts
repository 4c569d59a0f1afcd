import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, figure, seconds } from '../support/faults/figures.ts'
import { createFixture, createTraffic } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { long } from '../support/tags.ts'

// After a failed fsync the kernel may have dropped the pages and call the next one a success, so nothing that follows
// can be trusted: the only safe answer is to stop, and to read the file anew (fsyncgate, 2018).

const ENDS_WITHIN_MS = 5_000

test('F6: when a commit cannot be synced it acknowledges nothing more, ends with an error, and starts whole', {
  skip: long,
  timeout: 60_000,
}, async (t) => {
  const { cluster } = await createFixture(t, 'sqlite', { settings: preload('failed-fsync') })
  const { traffic, ledger } = await createTraffic(t, cluster)
  traffic.start()
  await sleep(1_000)
  await signalPreload(cluster.first, 'fsync fails')
  const began = performance.now()
  const ended = await Promise.race([cluster.first.service.ended, sleep(ENDS_WITHIN_MS, null, { ref: false })])
  assert.ok(ended !== null, `it still runs ${ENDS_WITHIN_MS} ms after a failed fsync`)
  assert.ok(ended.code !== 0, 'and not as if nothing had happened')
  const took = performance.now() - began
  await traffic.stop()
  await cluster.first.restart({ NODE_OPTIONS: '' })
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  figure(t, `F6: ended with ${ended.code} after ${seconds(took)}, ${count(acknowledged)} acknowledged, 0 lost`)
})

test('F6: the same with the system call itself failing, under strace', {
  skip: long || (canTrace() ? false : 'strace is not on this machine, or may not trace'),
  timeout: 120_000,
}, async (t) => {
  const inject = 'trace=fdatasync,fsync'
  const fault = 'inject=fdatasync,fsync:error=EIO:when=150+'
  const wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', inject, '-e', fault]
  const { cluster } = await createFixture(t, 'sqlite', { launch: { wrapper } })
  const { traffic, ledger } = await createTraffic(t, cluster, 4)
  traffic.start()
  const ended = await Promise.race([cluster.first.service.ended, sleep(60_000, null, { ref: false })])
  assert.ok(ended !== null, 'it still runs with a disk that syncs nothing')
  assert.ok(ended.code !== 0)
  await traffic.stop()
  await cluster.first.restart({}, {})
  await traffic.settle()
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  figure(t, `F6 (strace): ended with ${ended.code}, ${count(acknowledged)} acknowledged, 0 lost`)
})

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
