import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Usage, usageBars } from './bars.ts'

const NOW = Date.parse('2026-11-15T14:03:20Z')

const bars = (changes: Partial<Usage>): string =>
  String(usageBars([{ label: 'Users', used: 0, limit: 5_000, resetsAt: null, ...changes }], NOW))

const filled = (page: string): number => Number(page.match(/class="fill" width="([\d.]+)%"/)?.[1])
const textOf = (page: string): string => page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

test('a usage bar has its numbers in its accessible name, and a rounded percentage', () => {
  const page = bars({ used: 1_234 })
  assert.match(page, /<svg [^>]*role="img" aria-label="Users: 1,234 of 5,000"/)
  assert.match(textOf(page), /Users 1,234 of 5,000 25% used\. 3,766 left\./)
  assert.equal(filled(page), 24.68)
})

test('a usage bar stays inside its frame, even above the limit', () => {
  const cases: readonly [used: number, limit: number, width: number][] = [
    [0, 5_000, 0],
    [5_000, 5_000, 100],
    [5_001, 5_000, 100],
    [9e15, 30, 100],
    [0, 0, 100],
    [3, 0, 100],
  ]
  for (const [used, limit, width] of cases) {
    assert.equal(filled(bars({ used, limit })), width, `${used} of ${limit}`)
    assert.doesNotMatch(bars({ used, limit }), /NaN|Infinity|-\d+ left/)
  }
})

test('from 80% on, a usage bar warns in color and in words', () => {
  assert.doesNotMatch(bars({ used: 3_999 }), /warn|low/)
  assert.match(bars({ used: 4_000 }), /class="meter warn"/)
  assert.match(textOf(bars({ used: 4_000 })), /Running low: 80% used\. 1,000 left\./)
})

test('an unused allowance is "0% used"', () => {
  assert.match(textOf(bars({ used: 0 })), /0% used\. 5,000 left\./)
})

test('a usage bar says "Used up" only when nothing is left', () => {
  assert.match(textOf(bars({ used: 4_999 })), /99% used\. 1 left\./)
  assert.match(textOf(bars({ used: 5_000 })), /Used up\. 0 left\./)
})

test('without a limit, only the number is shown', () => {
  const page = bars({ used: 12, limit: null })
  assert.match(textOf(page), /12, no limit/)
  assert.doesNotMatch(page, /<svg/)
})

test('an allowance that resets says when', () => {
  const page = bars({ used: 1, resetsAt: Date.parse('2026-12-01T00:00:00Z') })
  assert.match(textOf(page), /Resets in 15 days, on 1 Dec 2026, 00:00 UTC\./)
  assert.doesNotMatch(bars({ used: 1 }), /Resets/)
})

test('a usage bar says on which day the present rate reaches the limit', () => {
  assert.match(
    textOf(bars({ used: 2_000, reachedAt: Date.UTC(2026, 10, 23) })),
    /left\. At this rate the limit is reached on 23 November\./,
  )
  assert.doesNotMatch(bars({ used: 2_000, reachedAt: null }), /rate/)
})
