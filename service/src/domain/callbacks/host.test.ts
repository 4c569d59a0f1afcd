import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { fc } from '../../../test/support/generated.ts'
import { hostProblem, isSystemScheme, placeOf } from './host.ts'

const isAccepted = (label: string): boolean => hostProblem(`${label}.example`) === null

test('a host has at most 253 characters', () => {
  const longest = `${'a.'.repeat(124)}aaaaa`
  assert.equal(longest.length, 253)
  assert.equal(hostProblem(longest), null)
  assert.match(hostProblem(`a${longest}`) ?? '', /longer than 253/)
})

test('an xn-- label is accepted only if it is the encoding of its own name', () => {
  const cases: readonly (readonly [label: string, valid: boolean])[] = [
    ['xn--bcher-kva', true],
    ['xn--mnchen-3ya', true],
    ['xn--strae-oqa', true],
    ['xn--p1ai', true],
    ['xn--80akhbyknj4f', true],
    ['xn--fiqs8s', true],
    ['xn--wgv71a119e', true],
    ['xn--4dbrk0ce', true],
    ['xn--n3h', true],
    // Empty, or an encoding of plain ASCII.
    ['xn--', false],
    ['xn---', false],
    ['xn--abc-', false],
    // A control character, a lone surrogate, beyond Unicode, truncated, overflowing.
    ['xn--a', false],
    ['xn--ib9b', false],
    ['xn--ls8h=', false],
    ['xn--b', false],
    ['xn--bcher-kv', false],
    ['xn--99999999', false],
    [`xn--${'9'.repeat(59)}`, false],
    // Names that mapping would change: "bÜcher", "a。b" (a full stop), "a／b" (a slash), "a" and an accent.
    ['xn--bcher-2pa', false],
    ['xn--ab-r13a', false],
    ['xn--ab-1u3n', false],
    ['xn--ab-8tb', false],
    ['xn--Bcher-kva', false],
  ]
  for (const [label, valid] of cases) {
    assert.equal(isAccepted(label), valid, label)
  }
})

/** The `xn--` form of a name by the URL parser; null when it is not one such label. */
function encoded(name: string): string | null {
  const hostname = URL.parse(`https://${name}.example/`)?.hostname
  return hostname === undefined
    ? null
    : (/^(xn--[a-z0-9-]{1,59})\.example$/.exec(hostname)?.[1] ?? null)
}

test('the encoding of an international name by the URL parser is accepted as a host', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), (name) => {
      const label = encoded(name)
      fc.pre(label !== null)
      assert.equal(hostProblem(`${label}.example`), null, label)
    }),
    {
      numRuns: 1_000,
      examples: [['bücher'], ['straße'], ['日本語'], ['рф'], ['BÜCHER'], ['e\u0301t\u00e9']],
    },
  )
})

test('an accepted xn-- label is the encoded form of one non-ASCII name', () => {
  const labels = fc.stringMatching(/^xn--[a-z0-9][a-z0-9-]{0,20}[a-z0-9]$/)
  fc.assert(
    fc.property(labels, (label) => {
      fc.pre(isAccepted(label))
      const name = domainToUnicode(label)
      assert.match(name, /[^\0-\x7f]/, label)
      assert.equal(encoded(name), label)
    }),
    { numRuns: 1_000 },
  )
})

test('a callback leads to the host of a site, or to the scheme of an app, whatever host that has', () => {
  assert.equal(placeOf(new URL('https://app.example.com:8443/cb')), 'app.example.com:8443')
  assert.equal(placeOf(new URL('https://app.example.com:8443/cb'), 'hostname'), 'app.example.com')
  assert.equal(placeOf(new URL('com.example.app://app.example.com/cb')), 'com.example.app:')
})

test('schemes of browsers, of Windows and Office, and of Apple are those of the system, in any case', () => {
  for (const scheme of [
    'javascript',
    'FILE',
    'ms-word',
    'X-Apple.SystemPreferences',
    'x-help-action',
  ]) {
    assert.equal(isSystemScheme(scheme), true, scheme)
  }
  for (const scheme of ['com.example.app', 'my-ms', 'apple']) {
    assert.equal(isSystemScheme(scheme), false, scheme)
  }
})
