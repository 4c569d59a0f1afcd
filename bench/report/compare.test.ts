import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, comparison } from './compare.ts'
import type { Row } from './row.ts'

const rows = (echo: number[], ours: number[]): Row[] =>
  [echo, ours].map((perSecond, index) => ({
    piece: 'verify',
    work: 'verify',
    contender: index === 0 ? 'echo' : 'gatehouse',
    figures: { perSecond },
  }))

const verdicts = (now: Row[], then: Row[]): string[] => compare(now, then).map(({ verdict }) => verdict)

const THEN = rows([1_000, 1_000, 1_000], [880, 900, 920])

test('what no round of now reaches is slower', () => {
  const now = rows([1_000, 1_000, 1_000], [850, 860, 870])
  assert.deepEqual(verdicts(now, THEN), ['slower'])
  assert.match(comparison(compare(now, THEN), '2026-01-31'), /1 of 1 got slower beyond the spread since 2026-01-31/)
})

test('what lies within the spread of then is the same', () => {
  assert.deepEqual(verdicts(rows([1_000, 1_000, 1_000], [850, 885, 870]), THEN), ['the same'])
})

test('a machine that is half as fast changes no verdict', () => {
  assert.deepEqual(verdicts(rows([500, 480, 510], [448, 432, 462]), THEN), ['the same'])
})

test('what was not measured then is not compared', () => {
  assert.deepEqual(verdicts(THEN, []), [])
})
