import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDatabaseUrls } from './database-url.ts'

/** The value of DATABASE_URL, and the URLs that it stands for. */
const VALID: readonly (readonly [string, readonly string[]])[] = [
  ['postgres://a/x', ['postgres://a/x']],
  ['postgres:///x?host=/run/postgresql', ['postgres:///x?host=/run/postgresql']],
  [
    'postgres://u:p%2C%40@a:5432,b/x',
    ['postgres://u:p%2C%40@a:5432/x', 'postgres://u:p%2C%40@b/x'],
  ],
  ['postgres://u:p,q@r@a,b/x', ['postgres://u:p,q@r@a/x', 'postgres://u:p,q@r@b/x']],
  ['postgresql://[::1]:1,[::2]', ['postgresql://[::1]:1', 'postgresql://[::2]']],
  [
    'postgres://a,b,c:5433/x?sslmode=verify-full&target_session_attrs=primary&options=-c%20search_path=y',
    ['a', 'b', 'c:5433'].map(
      (host) => `postgres://${host}/x?sslmode=verify-full&options=-c%20search_path=y`,
    ),
  ],
  ['postgres://a,b/x?target_session_attrs=read-write', ['postgres://a/x', 'postgres://b/x']],
]

for (const [value, urls] of VALID) {
  test(`${value} names ${urls.length === 1 ? 'one host' : `${urls.length} hosts`}`, () => {
    assert.deepEqual(readDatabaseUrls('DATABASE_URL', value), { ok: true, urls })
  })
}

test('no problem of a URL repeats a part of it', () => {
  for (const value of [
    'postgres://u:geheim/x@a/x',
    'postgres://u:geheim#x@a/x',
    'postgres://u:geheim@a:geheim/x',
    'postgres://u:geheim@a b/x',
    'postgres://u:geheim@a/x?target_session_attrs=geheim',
    'mysql://u:geheim@a/x',
  ]) {
    const read = readDatabaseUrls('DATABASE_URL', value)
    assert.ok(!read.ok, value)
    assert.doesNotMatch(read.problem, /geheim/)
  }
})
