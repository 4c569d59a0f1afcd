import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/generated.ts'
import { slow } from '../../../test/support/tags.ts'
import { matchCallback } from './match.ts'
import { callbackFromStored, readCallbackUrl } from './url.ts'

// Patterns are generated from their parts, so that their meaning is known independently of the code under test.

interface Pattern {
  readonly wildcard: boolean
  readonly base: string
  readonly port: string
  readonly path: string
  readonly query: string
}

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,3})?$/)
const base = fc
  .tuple(label, fc.constantFrom('example.com', 'example.co.uk', 'example.org'))
  .map((parts) => parts.join('.'))
const pattern: fc.Arbitrary<Pattern> = fc.record({
  wildcard: fc.boolean(),
  base,
  port: fc.constantFrom('', ':8443', ':3000'),
  path: fc.constantFrom('/', '/cb', '/cb/', '/a/b', '/Cb', '/c%20b', '/a;b=1', '/a//b'),
  query: fc.constantFrom('', '?x=1', '?x=1&y=2', '?q'),
})

const written = ({ wildcard, base, port, path, query }: Pattern): string =>
  `https://${wildcard ? '*.' : ''}${base}${port}${path}${query}`

/** A URL that this pattern covers. */
const memberOf = (one: Pattern, anyLabel: string): string => written(one).replace('*', anyLabel)

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The oracle: a regular expression that shares no code with the matcher. */
const language = (one: Pattern): RegExp => {
  const host = `${one.wildcard ? `${LABEL}\\.` : ''}${escaped(one.base)}`
  return new RegExp(`^https://${host}${escaped(one.port + one.path + one.query)}$`)
}

const registered = (patterns: readonly Pattern[]) =>
  patterns.map((one) => {
    const read = readCallbackUrl(written(one))
    assert.ok(read.ok, `${written(one)}: ${read.ok ? '' : read.problem}`)
    return read.callback
  })

const patterns = fc.array(pattern, { minLength: 1, maxLength: 4 })

test('every URL that a registered pattern covers is accepted unchanged', () => {
  fc.assert(
    fc.property(patterns, fc.nat(), label, (list, index, anyLabel) => {
      const address = memberOf(list[index % list.length] as Pattern, anyLabel)
      assert.deepEqual(matchCallback(address, registered(list)), { ok: true, href: address })
    }),
    { numRuns: 500 },
  )
})

/** Changes to a URL by attackers, editors, phones and proxies. */
const scrap = fc.oneof(
  fc.constantFrom(
    ...[
      '@',
      '@evil.test',
      ':',
      ':443',
      ':0',
      '/',
      '//',
      '/..',
      '/../',
      '/.',
      '\\',
      '?',
      '??',
      '#',
      '#@',
      '.',
      '..',
      '%',
    ],
    ...[
      '%2e',
      '%2f',
      '%5c',
      '%40',
      '%00',
      '%0d%0a',
      '%23',
      '%3f',
      '*',
      '*.',
      ';',
      '&',
      '=',
      '-',
      '_',
      ' ',
      '\t',
      '\n',
    ],
    ...[
      '\u0000',
      '\u3002',
      '\uff0f',
      '\uff41',
      '\u00ad',
      '\u200b',
      '\u212a',
      '\u0430',
      'xn--',
      'evil.test',
      '.evil.test',
    ],
    ...[
      '[::1]',
      'user:word@',
      'http:',
      'https:',
      'javascript:',
      '127.0.0.1',
      'X',
      'a',
      '0',
      '?access_token=x',
    ],
  ),
  fc.string({ maxLength: 3 }),
)

/** Registered without and with a port, and what they accept. */
const LOOPBACK = [
  { href: 'http://localhost/cb', accepts: /^http:\/\/localhost(?::[1-9][0-9]{0,4})?\/cb$/ },
  { href: 'http://127.0.0.1:3000/', accepts: /^http:\/\/127\.0\.0\.1:3000\/$/ },
]
const loopback = LOOPBACK.map(({ href }) => callbackFromStored(href))

// proves C010, S001, RFC 9700 2.1
test('a tampered URL is accepted only if it still matches a pattern, and is exactly where a browser goes', {
  skip: slow,
}, () => {
  let accepted = 0
  const damage = fc.array(fc.tuple(fc.nat(), scrap, fc.nat({ max: 2 })), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(patterns, fc.nat(), label, damage, (list, index, anyLabel, changes) => {
      const addresses = [
        ...list.map((one) => memberOf(one, anyLabel)),
        'http://localhost:5173/cb',
        'http://127.0.0.1:3000/',
      ]
      let address = addresses[index % addresses.length] ?? ''
      for (const [where, insert, cut] of changes) {
        const at = where % (address.length + 1)
        address = address.slice(0, at) + insert + address.slice(at + cut)
      }

      const callbacks = [...registered(list), ...loopback]
      const match = matchCallback(address, callbacks)
      if (!match.ok) {
        return
      }
      accepted++
      const languages = [...list.map(language), ...LOOPBACK.map(({ accepts }) => accepts)]
      assert.ok(
        languages.some((one) => one.test(match.href)),
        `${JSON.stringify(address)} led to ${match.href}`,
      )
      assert.equal(new URL(address).href, match.href)
      assert.deepEqual(matchCallback(match.href, callbacks), match)
    }),
    { numRuns: 6_000 },
  )
  assert.ok(accepted > 50, `only ${accepted} were accepted, so little was shown`)
})

test('the canonical form of a registered URL is registered unchanged', () => {
  const piece = fc.constantFrom(
    'localhost',
    'a.com',
    '*.',
    ':80',
    ':443',
    '/',
    '?',
    'x',
    'X',
    '%41',
    '.',
    '@',
    '-',
    '=',
  )
  const scheme = fc.constantFrom('https://', 'http://')
  const host = fc.constantFrom('localhost', 'a.com', 'A.com', '*.a.com')
  let accepted = 0
  fc.assert(
    fc.property(scheme, host, fc.array(piece, { maxLength: 7 }), (start, name, rest) => {
      const raw = start + name + rest.join('')
      const read = readCallbackUrl(raw)
      if (!read.ok) {
        return
      }
      accepted++
      assert.deepEqual(readCallbackUrl(read.callback.href), read, raw)
      assert.deepEqual(callbackFromStored(read.callback.href), read.callback, raw)
    }),
    { numRuns: 2_000 },
  )
  assert.ok(accepted > 200, `only ${accepted} were accepted, so little was shown`)
})

test('no text makes matching throw, and none is accepted by a list without it', () => {
  const list = registered([
    { wildcard: true, base: 'app.example.com', port: '', path: '/cb', query: '' },
  ])
  // Not `fc.webUrl()` and `fc.string({ unit: 'binary' })`, which list all code points first.
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0x10ffff }))
    .map((codes) => String.fromCodePoint(...codes))
  const otherUrl = pattern.map((one) => `${written(one)}x`)
  fc.assert(
    fc.property(fc.oneof(fc.string(), otherUrl, anyText), (text) => {
      assert.equal(matchCallback(text, list).ok, false)
      readCallbackUrl(text)
    }),
    { numRuns: 1_000 },
  )
})
