import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, comparison } from './compare.ts'
import type { Row } from './row.ts'

const rows = (echo: number[], ours: number[]): Row[] =>
  [echo, ours].map((perSecond, index) => ({
    benchmark: 'verify',
    workload: 'verify',
    contender: index === 0 ? 'echo' : 'gatehouse',
    figures: { perSecond },
  }))

const verdicts = (now: Row[], previous: Row[]): string[] =>
  compare(now, previous).map(({ verdict }) => verdict)

const PREVIOUS = rows([1_000, 1_000, 1_000], [880, 900, 920])

test('a result is slower if every round is below the previous range', () => {
  const now = rows([1_000, 1_000, 1_000], [850, 860, 870])
  assert.deepEqual(verdicts(now, PREVIOUS), ['slower'])
  assert.match(
    comparison(compare(now, PREVIOUS), '2026-01-31'),
    /1 of 1 became slower beyond the spread since 2026-01-31/,
  )
})

test('a result is unchanged if its range overlaps the previous one', () => {
  assert.deepEqual(verdicts(rows([1_000, 1_000, 1_000], [850, 885, 870]), PREVIOUS), ['unchanged'])
})

test('a machine that is half as fast changes no result', () => {
  assert.deepEqual(verdicts(rows([500, 480, 510], [448, 432, 462]), PREVIOUS), ['unchanged'])
})

test('a benchmark without previous results is not compared', () => {
  assert.deepEqual(verdicts(PREVIOUS, []), [])
})
