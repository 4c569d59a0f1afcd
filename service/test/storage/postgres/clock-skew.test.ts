import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skewBetween } from '../../../src/storage/postgres/feed/clock-skew.ts'

const DATABASE_MS = 1_800_000_000_000
const HOUR_MS = 3_600_000

/** The skew measured by a machine that is `ahead`, in a round trip of `took` ms, or `tookByWall` by its wall clock. */
const measured = (ahead: number, took: number, tookByWall = took): number | null => {
  const wall = DATABASE_MS + ahead - took / 2
  return skewBetween(
    { monotonic: 5_000.25, wall },
    { monotonic: 5_000.25 + took, wall: wall + tookByWall },
    DATABASE_MS,
  )
}

test('clock skew is measured at the middle of the round trip', () => {
  for (const ahead of [0, 20_000, -20_000, 30 * HOUR_MS]) {
    for (const took of [0, 3, 900]) {
      assert.equal(measured(ahead, took), ahead, `${ahead} ms in ${took} ms`)
    }
  }
})

test('a response that took longer than a second measures no clock skew', () => {
  assert.equal(measured(20_000, 1_001), null)
})

test('a suspended machine or a clock that was set measures no clock skew', () => {
  assert.equal(measured(0, 5, 8 * HOUR_MS), null, 'suspended: only the wall clock advanced')
  assert.equal(measured(0, 5, -HOUR_MS), null, 'set back')
})
