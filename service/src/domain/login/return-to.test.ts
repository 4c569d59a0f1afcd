import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReturnTo } from './redirect-url.ts'

/** The value after decoding the query string once. */
const fromQuery = (encoded: string): string =>
  new URLSearchParams(`return_to=${encoded}`).get('return_to') ?? ''

test('a return_to path inside the app is kept unchanged', () => {
  const paths = [
    '/',
    '/dashboard',
    '/a/b/?q=1&r=2#part',
    '/p?x=1&access_token=evil',
    '/p?next=https://other.test/',
    '/p?next=//other.test',
    '/a//b',
    '/a/../b',
    '/@evil.test',
    '/:80',
    '/caf\u00e9/\u{1f600}',
    '/a b',
    // Encoded twice in the query, it is text and no line break.
    fromQuery('/a%250d%250a'),
    '/a%2f%2fevil.test',
    '/%252f%252fevil.test',
    '/%zz',
    `/${'a'.repeat(1_023)}`,
  ]
  for (const path of paths) {
    assert.deepEqual(readReturnTo(path), { ok: true, returnTo: path }, path)
  }
})

test('a return_to that could lead to another site is rejected', () => {
  const cases: readonly (readonly [raw: string, reason: RegExp])[] = [
    ['', /starts with "\/"/],
    ['dashboard', /starts with "\/"/],
    ['?x', /starts with "\/"/],
    ['https://evil.test', /starts with "\/"/],
    ['javascript:alert(1)', /starts with "\/"/],
    [' /a', /starts with "\/"/],
    ['\t/a', /starts with "\/"/],
    ['\\evil.test', /starts with "\/"/],
    ['//evil.test', /another site/],
    ['///evil.test', /another site/],
    ['//user@evil.test/x', /another site/],
    ['//app.invalid/x', /another site/],
    ['/..//evil.test', /another site/],
    ['/.//evil.test', /another site/],
    ['/a/../..//evil.test', /another site/],
    ['/%2e%2e//evil.test', /another site/],
    ['/%2E//evil.test', /another site/],
    ['/a/..//evil.test', /another site/],
    ['/%2fevil.test', /another site/],
    ['/%2F%2Fevil.test', /another site/],
    ['/%5cevil.test', /another site/],
    ['/%5Cevil.test', /another site/],
    ['/./%2fevil.test', /another site/],
    ['/%09/evil.test', /another site/],
    ['/%0d%0a%2fevil.test', /another site/],
    [fromQuery('/%2f%2fevil.test'), /another site/],
    [fromQuery('/%252f%252fevil.test'), /another site/],
    ['/\\evil.test', /backslash/],
    ['/a\\b', /backslash/],
    ['/\t/evil.test', /control character/],
    ['/\n/evil.test', /control character/],
    ['/a\u0000', /control character/],
    ['/a\u007f', /control character/],
    ['/a\u0085', /control character/],
    [fromQuery('/a%0d%0aX:1'), /control character/],
    ['/\ud83d', /broken text/],
    [`/${'a'.repeat(1_024)}`, /1025 characters/],
  ]
  for (const [raw, reason] of cases) {
    const read = readReturnTo(raw)
    assert.ok(!read.ok, `${JSON.stringify(raw)} was accepted`)
    assert.match(read.problem, reason, JSON.stringify(raw))
  }
})
