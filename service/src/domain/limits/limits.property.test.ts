import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWithinShare, unauthenticatedShare } from './allowance.ts'
import { nextLimit } from './next-limit.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/** Any moment from 1970 to 2100. */
const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) })

test('every moment is in exactly one minute and one month, and both begin where the ones before them end', () => {
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

/** Any order of starts and finished sign-ins, counted as `spendAuthEvent` counts them: what a refusal took is given back. */
function countedOf(order: readonly ('open' | 'finished')[], limit: number, underWay: number) {
  let [used, open, finished] = [0, 0, 0]
  for (const kind of order) {
    if (used + 1 > limit) continue
    const next = { used: used + 1, limit, open: open + 1, finished, underWay }
    if (kind === 'open' && !isWithinShare(next)) continue
    used++
    if (kind === 'open') open++
    else finished++
  }
  return { used, open, finished }
}

const limit = fc.integer({ min: 1, max: 400 })
const order = fc.array(fc.constantFrom('open' as const, 'finished' as const), { maxLength: 500 })

test('in any order of events the whole never passes its limit, and strangers alone never pass their share', () => {
  fc.assert(
    fc.property(limit, order, fc.nat({ max: 30 }), (most, events, underWay) => {
      const { used, open, finished } = countedOf(events, most, underWay)
      assert.ok(used <= most)
      assert.equal(used, open + finished)
      assert.ok(open <= Math.max(unauthenticatedShare(most), finished + underWay))
      const strangers = countedOf(Array(most * 2).fill('open'), most, underWay)
      assert.equal(strangers.used, unauthenticatedShare(most), 'exactly their share, and never the cap')
    }),
    { numRuns: 300 },
  )
})

test('as long as every start is finished, the whole allowance is theirs', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 1, max: 30 }), (most, underWay) => {
      const honest = Array.from(
        { length: most * 2 },
        (_, at) => (at % 2 === 0 ? 'open' : 'finished') as 'open' | 'finished',
      )
      assert.equal(countedOf(honest, most, underWay).used, most)
    }),
    { numRuns: 200 },
  )
})

test('what runs out next is never said to have less than nothing, nor warned of before four fifths', () => {
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
