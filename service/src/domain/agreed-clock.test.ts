import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgreedClock } from './time.ts'

/** The measured skews, and the correction of the clock after each. */
const CASES: readonly [string, readonly number[], readonly number[]][] = [
  ['a skew of at most one second is not corrected', [0, 400, -999, 1_000, -1_000], [0, 0, 0, 0, 0]],
  [
    'a skew of more than one second is corrected',
    [1_001, -20_000, 120_000],
    [1_001, -20_000, 120_000],
  ],
  [
    'a skew that jitters around one second is corrected once',
    [990, 1_010, 990, 1_200, 100],
    [0, 1_010, 1_010, 1_010, 1_010],
  ],
  [
    'a drifting clock is corrected within one second',
    [900, 1_500, 2_400, 2_600],
    [0, 1_500, 1_500, 2_600],
  ],
  ['the correction ends once the machine is set right', [20_000, 20_030, 12], [20_000, 20_000, 12]],
]

for (const [title, measured, expected] of CASES) {
  test(title, () => {
    const machine = 1_800_000_000_000
    const clock = new AgreedClock(() => machine)
    let before = 0
    const corrections = measured.map((skewMs) => {
      const changed = clock.adjust(skewMs)
      const correction = machine - clock.now()
      assert.equal(changed, correction !== before, 'adjust reports a changed correction')
      before = correction
      return correction
    })
    assert.deepEqual(corrections, expected)
  })
}

test('between two measurements the time advances with the machine’s clock', () => {
  let machine = 1_000_000
  const clock = new AgreedClock(() => machine)
  clock.adjust(-30_000)
  assert.equal(clock.now(), 1_030_000)
  machine += 700
  assert.equal(clock.now(), 1_030_700)
})
