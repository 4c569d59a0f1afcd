import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Growth, report } from './report.ts'

test('a run that measures one engine can write the saved results of the other one again', () => {
  const saved = JSON.parse(
    readFileSync(new URL('../results/growth.json', import.meta.url), 'utf8'),
  ) as Growth[]
  assert.deepEqual(
    saved.map(({ engine }) => engine),
    ['sqlite', 'postgres'],
  )
  for (const growth of saved) {
    assert.doesNotMatch(report(growth), /undefined|NaN/)
  }
})
