import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactTime, relativeTime, shortDay, timestamp } from './time.ts'

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
  [-59.6 * MINUTE, '1 hour ago'],
  [-HOUR, '1 hour ago'],
  [-3.4 * HOUR, '3 hours ago'],
  [-3.9 * HOUR, '4 hours ago'],
  [-23.4 * HOUR, '23 hours ago'],
  [-24 * HOUR, '1 day ago'],
  [-35 * HOUR, '1 day ago'],
  [-47 * HOUR, '2 days ago'],
  [-47.6 * HOUR, '2 days ago'],
  [-2 * DAY, '2 days ago'],
  [-60 * DAY, '60 days ago'],
  [-61 * DAY, '2 months ago'],
  [-365 * DAY, '12 months ago'],
  [-1.95 * 365.25 * DAY, '23 months ago'],
  [-731 * DAY, '2 years ago'],
  [30 * SECOND, 'in less than a minute'],
  [MINUTE, 'in 1 minute'],
  [71.9 * HOUR, 'in 3 days'],
  [72 * HOUR, 'in 3 days'],
  [72 * HOUR - SECOND, 'in 3 days'],
  [16 * DAY, 'in 16 days'],
]

for (const [distance, words] of cases) {
  test(`${distance / SECOND} seconds from now is "${words}"`, () => {
    assert.equal(relativeTime(NOW + distance, NOW), words)
  })
}

test('a time a few seconds ahead is "just now": the clocks of two instances differ', () => {
  assert.equal(relativeTime(NOW + 3 * SECOND, NOW), 'just now')
})

const AT = Date.parse('2026-09-05T04:07:59.999Z')

test('an exact time is in UTC and says so, whatever the time zone of the server', () => {
  assert.equal(exactTime(AT), '5 Sep 2026, 04:07 UTC')
  assert.equal(shortDay(Date.parse('2026-12-31')), '31 Dec')
})

test('a timestamp shows the relative time, and the exact time in a time element', () => {
  assert.equal(
    String(timestamp(AT, AT + 3 * HOUR)),
    '<span class="moment">3 hours ago <time datetime="2026-09-05T04:07:59.999Z">5 Sep 2026, 04:07 UTC</time></span>',
  )
})
