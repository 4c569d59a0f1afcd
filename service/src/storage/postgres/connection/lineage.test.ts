import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FenceRow, Lineage } from './lineage.ts'

const row = (timeline: number, takenOverFrom: number | null = null): FenceRow => ({
  timeline,
  mark: `mark-${timeline}`,
  ancestors: Array.from({ length: timeline - 1 }, (_, n) => `mark-${timeline - 1 - n}@0/1`).join(
    ' ',
  ),
  since_ms: timeline,
  former_timeline: takenOverFrom,
  lost_first: takenOverFrom === null ? null : 5,
  lost_last: takenOverFrom === null ? null : 9,
  id_floor: takenOverFrom === null ? null : 100,
})

test('the log says what may be lost, also if another connection noticed the promotion first', () => {
  const warnings: string[] = []
  const lineage = new Lineage((message) => warnings.push(message))
  let changes = 0
  lineage.onChange(() => {
    changes += 1
  })
  lineage.accept({}, row(1))
  // The second connection started the new lineage in the database, but its answer arrives after that of the third.
  lineage.accept({}, row(2))
  lineage.accept({}, row(2, 1))
  lineage.accept({}, row(2))
  assert.equal(changes, 1)
  assert.equal(warnings.filter((message) => message.includes('continues on timeline 2')).length, 1)
  assert.equal(
    warnings.filter((message) => message.includes('sessions 5 to 9 are refused')).length,
    1,
  )
})
