import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineProblem, versionProblem } from './check-database.ts'

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

// proves C370
test('an engine that only speaks the protocol of PostgreSQL is refused by name', () => {
  for (const version of [
    'PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit',
    'PostgreSQL 18.0 on aarch64-unknown-linux-gnu, compiled by aarch64-unknown-linux-gnu-gcc (GCC) 9.5.0, 64-bit',
    'PostgreSQL 16.4 on x86_64-pc-linux-gnu, compiled by Debian clang version 12.0.1, 64-bit',
  ]) {
    assert.equal(engineProblem(version), null)
  }
  for (const [version, name] of [
    [
      'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15 21:28:29, go1.22.2)',
      'CockroachDB',
    ],
    [
      'PostgreSQL 11.2-YB-2024.1.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit',
      'YugabyteDB',
    ],
    ['PostgreSQL 9.5 on x86_64-pc-linux-gnu (Materialize v0.110.0)', 'Materialize'],
    ['DuckDB v1.1.0', 'not PostgreSQL'],
  ] as const) {
    assert.match(
      engineProblem(version) ?? '',
      new RegExp(`^the server is ${name}: .*Use PostgreSQL 14 or newer`),
    )
  }
})
