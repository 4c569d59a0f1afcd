import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWithinShare, unauthenticatedShare } from './allowance.ts'
import { nextLimit } from './next-limit.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/** Any time from 1970 to 2100. */
const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) })

test('every time is in exactly one minute and one month, and windows follow each other without a gap', () => {
  fc.assert(
    fc.property(moment, (now) => {
      for (const [start, end] of [
        [minuteStart, minuteEnd],
        [monthStart, monthEnd],
      ] as const) {
        assert.ok(start(now) <= now && now < end(now))
        assert.deepEqual([start(start(now)), end(start(now))], [start(now), end(now)])
        assert.equal(start(end(now)), end(now), 'the next begins')
        assert.equal(end(end(now) - 1), end(now), 'this one lasts until then')
      }
      assert.equal(minuteEnd(now) - minuteStart(now), 60_000)
      assert.match(new Date(monthStart(now)).toISOString(), /^\d{4}-\d\d-01T00:00:00\.000Z$/)
    }),
    { numRuns: 1_000 },
  )
})

/** Counts starts and finished sign-ins in any order as `spendAuthEvent` does: a rejected event is not counted. */
function countedOf(order: readonly ('open' | 'finished')[], limit: number, inProgress: number) {
  let [used, open, finished] = [0, 0, 0]
  for (const kind of order) {
    if (used + 1 > limit) continue
    const next = { used: used + 1, limit, open: open + 1, finished, inProgress }
    if (kind === 'open' && !isWithinShare(next)) continue
    used++
    if (kind === 'open') open++
    else finished++
  }
  return { used, open, finished }
}

const limit = fc.integer({ min: 1, max: 400 })
const order = fc.array(fc.constantFrom('open' as const, 'finished' as const), { maxLength: 500 })

test('events never exceed their limit, and unauthenticated events alone never exceed their share', () => {
  fc.assert(
    fc.property(limit, order, fc.nat({ max: 30 }), (most, events, inProgress) => {
      const { used, open, finished } = countedOf(events, most, inProgress)
      assert.ok(used <= most)
      assert.equal(used, open + finished)
      assert.ok(open <= Math.max(unauthenticatedShare(most), finished + inProgress))
      const strangers = countedOf(Array(most * 2).fill('open'), most, inProgress)
      assert.equal(strangers.used, unauthenticatedShare(most), 'exactly the share, never the whole limit')
    }),
    { numRuns: 300 },
  )
})

test('logins that are all finished can use the whole limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 1, max: 30 }), (most, inProgress) => {
      const honest = Array.from(
        { length: most * 2 },
        (_, at) => (at % 2 === 0 ? 'open' : 'finished') as 'open' | 'finished',
      )
      assert.equal(countedOf(honest, most, inProgress).used, most)
    }),
    { numRuns: 200 },
  )
})

test('the next limit never has a negative rest, and warns from four fifths on', () => {
  const used = fc.record({ used: fc.nat({ max: 1_000 }), limit: fc.option(fc.integer({ min: 1, max: 1_000 })) })
  fc.assert(
    fc.property(fc.record({ a: used, b: used, c: used }), (usage) => {
      const next = nextLimit(usage)
      const limited = Object.values(usage).filter((each) => each.limit !== null)
      assert.equal(next === null, limited.length === 0)
      if (next === null) return
      assert.ok(next.left >= 0 && next.left === Math.max(0, next.limit - next.used))
      assert.equal(next.warning !== null, next.used / next.limit >= 0.8)
      for (const { used, limit } of limited) assert.ok(used / (limit ?? 1) <= next.used / next.limit)
    }),
    { numRuns: 500 },
  )
})
