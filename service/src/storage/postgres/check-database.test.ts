import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionProblem } from './check-database.ts'

test('PostgreSQL 14 and newer are accepted, and an older server is named', () => {
  for (const version of [140_000, 150_004, 160_010, 170_005, 180_004, 190_000]) {
    assert.equal(versionProblem(version), null, String(version))
  }
  for (const [version, major] of [
    [90_624, 9],
    [130_023, 13],
  ] as const) {
    assert.equal(
      versionProblem(version),
      `the server is PostgreSQL ${major}, and Gatehouse needs 14 or newer. Upgrade the server.`,
    )
  }
})
