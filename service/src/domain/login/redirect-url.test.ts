import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectUrl } from './redirect-url.ts'

const TOKENS = { access_token: 'eyJ.a.b', refresh_token: 'svc_rt_x' }

test('a login redirects to the callback with the token pair, and with return_to if it has one', () => {
  assert.equal(
    redirectUrl('https://app.example.com/cb', TOKENS),
    'https://app.example.com/cb?access_token=eyJ.a.b&refresh_token=svc_rt_x',
  )
  assert.equal(
    redirectUrl('https://app.example.com/cb', { ...TOKENS, return_to: '/dash' }),
    'https://app.example.com/cb?access_token=eyJ.a.b&refresh_token=svc_rt_x&return_to=%2Fdash',
  )
  for (const return_to of [undefined, null]) {
    assert.equal(
      new URL(redirectUrl('https://app.example.com/cb', { ...TOKENS, return_to })).searchParams.has(
        'return_to',
      ),
      false,
    )
  }
})

test('a failed login redirects to the callback with the error and without tokens', () => {
  assert.equal(
    redirectUrl('http://localhost:3000/cb', { error: 'access_denied', return_to: '/dash' }),
    'http://localhost:3000/cb?error=access_denied&return_to=%2Fdash',
  )
})

test('the query of the callback comes first in the redirect and is not re-encoded', () => {
  const cases = [
    [
      'https://app.example.com/cb?x=a%20b&y&z=%2f+',
      'https://app.example.com/cb?x=a%20b&y&z=%2f+&error=e',
    ],
    ['https://app.example.com/cb?', 'https://app.example.com/cb?error=e'],
    ['https://app.example.com/?x', 'https://app.example.com/?x&error=e'],
  ] as const
  for (const [callback, href] of cases) {
    assert.equal(redirectUrl(callback, { error: 'e' }), href)
  }
})

test('a redirect parameter value cannot add or replace a parameter, a header or a fragment', () => {
  const values = [
    '/p?x=1&access_token=evil',
    '/p&access_token=evil&refresh_token=evil',
    '/p#access_token=evil',
    '/p%26access_token%3Devil',
    '/a%0d%0aLocation:%20https://evil.test',
    '/caf\u00e9 +',
  ]
  for (const return_to of values) {
    const href = redirectUrl('https://app.example.com/cb', { ...TOKENS, return_to })
    const url = new URL(href)
    assert.deepEqual(url.searchParams.getAll('access_token'), [TOKENS.access_token], return_to)
    assert.deepEqual(url.searchParams.getAll('refresh_token'), [TOKENS.refresh_token], return_to)
    assert.deepEqual(url.searchParams.getAll('return_to'), [return_to])
    assert.equal(url.hash, '')
    assert.match(href, /^[\x21-\x7e]+$/)
  }
})

test('a redirect URL of more than 8 KiB throws, and the error does not contain the tokens', () => {
  const callback = 'https://app.example.com/cb'
  const room = 8 * 1_024 - `${callback}?error=`.length
  assert.equal(redirectUrl(callback, { error: 'e'.repeat(room) }).length, 8 * 1_024)
  assert.throws(
    () => redirectUrl(callback, { error: 'e'.repeat(room + 1) }),
    (error: Error) => error instanceof RangeError && !error.message.includes('eee'),
  )
})
