import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactTime, moment, shortDay } from './moment.ts'

const AT = Date.parse('2026-09-05T04:07:59.999Z')

test('an exact time is a UTC time and says so, whatever zone the server is in', () => {
  assert.equal(exactTime(AT), '5 Sep 2026, 04:07 UTC')
  assert.equal(shortDay(Date.parse('2026-12-31')), '31 Dec')
})

test('a moment has words for people and a time for programs', () => {
  assert.equal(
    String(moment(AT, AT + 3 * 3_600_000)),
    '<span class="moment">3 hours ago <time datetime="2026-09-05T04:07:59.999Z">5 Sep 2026, 04:07 UTC</time></span>',
  )
})
