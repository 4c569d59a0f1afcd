import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './relative-time.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const NOW = Date.parse('2026-11-15T14:03:20Z')

const cases: readonly [distance: number, words: string][] = [
  [0, 'just now'],
  [-59 * SECOND, 'just now'],
  [-MINUTE, '1 minute ago'],
  [-59 * MINUTE, '59 minutes ago'],
  [-HOUR, '1 hour ago'],
  [-3.9 * HOUR, '3 hours ago'],
  [-47 * HOUR, '47 hours ago'],
  [-2 * DAY, '2 days ago'],
  [-60 * DAY, '60 days ago'],
  [-61 * DAY, '2 months ago'],
  [-365 * DAY, '11 months ago'],
  [-731 * DAY, '2 years ago'],
  [30 * SECOND, 'in less than a minute'],
  [MINUTE, 'in 1 minute'],
  [71.9 * HOUR, 'in 2 days'],
  [72 * HOUR, 'in 3 days'],
  [16 * DAY, 'in 16 days'],
]

for (const [distance, words] of cases) {
  test(`${distance / SECOND} seconds from now is "${words}"`, () => {
    assert.equal(relativeTime(NOW + distance, NOW), words)
  })
}

test('what another instance with a faster clock just wrote did not happen in the future', () => {
  assert.equal(relativeTime(NOW + 3 * SECOND, NOW), 'just now')
})
