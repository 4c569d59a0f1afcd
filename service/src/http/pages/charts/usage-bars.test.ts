import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Usage, usageBars } from './usage-bars.ts'

const NOW = Date.parse('2026-11-15T14:03:20Z')

const bars = (changes: Partial<Usage>): string =>
  String(usageBars([{ label: 'People', used: 0, limit: 5_000, resetsAt: null, ...changes }], NOW))

const filled = (page: string): number => Number(page.match(/class="fill" width="([\d.]+)%"/)?.[1])
const textOf = (page: string): string => page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

test('a bar says its numbers to those who do not see it', () => {
  const page = bars({ used: 1_234 })
  assert.match(page, /<svg [^>]*role="img" aria-label="People: 1,234 of 5,000"/)
  assert.match(textOf(page), /People 1,234 of 5,000 24 % used\. 3,766 left\./)
  assert.equal(filled(page), 24.68)
})

test('a bar stays inside its frame, whatever was used', () => {
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

test('it warns from 80 %, in colour and in words', () => {
  assert.doesNotMatch(bars({ used: 3_999 }), /warn|low/)
  assert.match(bars({ used: 4_000 }), /class="meter warn"/)
  assert.match(textOf(bars({ used: 4_000 })), /Running low: 80 % used\. 1,000 left\./)
})

test('it says used up only when nothing is left', () => {
  assert.match(textOf(bars({ used: 4_999 })), /99 % used\. 1 left\./)
  assert.match(textOf(bars({ used: 5_000 })), /Used up\. 0 left\./)
})

test('without a limit there is a number and no bar', () => {
  const page = bars({ used: 12, limit: null })
  assert.match(textOf(page), /12, no limit/)
  assert.doesNotMatch(page, /<svg/)
})

test('an allowance that comes back says when', () => {
  const page = bars({ used: 1, resetsAt: Date.parse('2026-12-01T00:00:00Z') })
  assert.match(textOf(page), /Starts again in 15 days, on 1 Dec 2026, 00:00 UTC\./)
  assert.doesNotMatch(bars({ used: 1 }), /again/)
})
