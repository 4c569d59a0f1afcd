import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgreedClock } from './agreed-clock.ts'

/** What is measured one after the other, and how far the time is away from the machine's after each. */
const CASES: readonly [string, readonly number[], readonly number[]][] = [
  ['within a second of the database the machine is believed', [0, 400, -999, 1_000, -1_000], [0, 0, 0, 0, 0]],
  ['more than a second away, ahead or behind, the database is', [1_001, -20_000, 120_000], [1_001, -20_000, 120_000]],
  ['what trembles around a second is followed once', [990, 1_010, 990, 1_200, 100], [0, 1_010, 1_010, 1_010, 1_010]],
  ['one that drifts is never more than a second away', [900, 1_500, 2_400, 2_600], [0, 1_500, 1_500, 2_600]],
  ['a machine that was set right is believed again', [20_000, 20_030, 12], [20_000, 20_000, 12]],
]

for (const [what, measured, expected] of CASES) {
  test(what, () => {
    const machine = 1_800_000_000_000
    const clock = new AgreedClock(() => machine)
    let before = 0
    const away = measured.map((skewMs) => {
      const changed = clock.agree(skewMs)
      const now = machine - clock.now()
      assert.equal(changed, now !== before, 'it says so when the time is another')
      before = now
      return now
    })
    assert.deepEqual(away, expected)
  })
}

test('between two measurements the time goes on with the machine’s', () => {
  let machine = 1_000_000
  const clock = new AgreedClock(() => machine)
  clock.agree(-30_000)
  assert.equal(clock.now(), 1_030_000)
  machine += 700
  assert.equal(clock.now(), 1_030_700)
})
