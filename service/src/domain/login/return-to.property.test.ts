import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/generated.ts'
import { readReturnTo, redirectUrl } from './redirect-url.ts'

/** The pages from which an app may navigate to return_to. */
const BASES = [
  'https://app.example.com/callback?access_token=x',
  'https://app.example.com/a/b/c',
  'http://localhost:3000/',
  'http://[::1]:8080/x',
]

const scrap = fc.oneof(
  fc.constantFrom(
    ...[
      '/',
      '//',
      '///',
      '\\',
      '/\\',
      '.',
      '..',
      '/.',
      '/..',
      '/../',
      '%2f',
      '%2F',
      '%5c',
      '%2e',
      '%09',
      '%0a',
      '%0d',
    ],
    ...[
      '%00',
      '%25',
      '\t',
      '\n',
      '\r',
      '\u0000',
      '\u0085',
      '\u2028',
      '\ud800',
      '@',
      ':',
      '?',
      '#',
      '&',
      '=',
      ';',
      ' ',
    ],
    ...[
      'evil.test',
      'evil.test/',
      '@evil.test',
      'https:',
      'javascript:',
      'data:',
      'a',
      'ü',
      '✓',
      '/p?x=1',
      '#/x',
    ],
  ),
  fc.string({ maxLength: 4 }),
)
const path = fc.array(scrap, { maxLength: 8 }).map((parts) => parts.join(''))
const candidate = fc.oneof(
  path.map((text) => `/${text}`),
  path,
)

/** An app may decode return_to a second time. */
const decodedAgain = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

test('an accepted return_to stays in the app from any page, even if the app decodes it once more', () => {
  let accepted = 0
  fc.assert(
    fc.property(candidate, (text) => {
      const read = readReturnTo(text)
      if (!read.ok) {
        return
      }
      accepted++
      assert.equal(read.returnTo, text, 'it is kept as given')
      assert.doesNotMatch(text, /\p{Cc}/u)
      for (const base of BASES) {
        assert.equal(new URL(text, base).origin, new URL(base).origin, JSON.stringify(text))
        assert.equal(
          new URL(decodedAgain(text), base).origin,
          new URL(base).origin,
          `decoded: ${JSON.stringify(text)}`,
        )
      }
    }),
    { numRuns: 4_000 },
  )
  assert.ok(accepted > 300, `only ${accepted} were accepted, so little was shown`)
})

test('an accepted return_to is returned as exactly one parameter', () => {
  fc.assert(
    fc.property(candidate, (text) => {
      const read = readReturnTo(text)
      if (!read.ok) {
        return
      }
      const parameters = {
        access_token: 'ours',
        refresh_token: 'ours too',
        return_to: read.returnTo,
      }
      const landed = new URL(redirectUrl('https://app.example.com/cb?x=1', parameters))
      assert.deepEqual([...landed.searchParams], Object.entries({ x: '1', ...parameters }))
      assert.match(landed.href, /^[\x21-\x7e]+$/)
    }),
    { numRuns: 1_000 },
  )
})
