import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dailyFrom, firstDay } from './daily.ts'

test('the last 30 UTC days are listed from the oldest to today, each with the counts of its kinds', () => {
  const now = Date.parse('2026-03-15T23:59:59Z')
  assert.equal(firstDay(now), '2026-02-14')
  const days = dailyFrom(
    [
      { day: '2026-03-15', event: 'authorize', count: 2 },
      { day: '2026-02-14', event: 'logout', count: 3 },
      { day: '2026-02-13', event: 'logout', count: 4 },
    ],
    now,
  )
  assert.equal(days.length, 30)
  const none = { logins: 0, refreshes: 0, logouts: 0, failures: 0, starts: 0, denials: 0 }
  assert.deepEqual(days[0], { ...none, day: '2026-02-14', logouts: 3 })
  assert.deepEqual(days[15], { ...none, day: '2026-03-01' })
  assert.deepEqual(days[29], { ...none, day: '2026-03-15', logins: 2 })
})
