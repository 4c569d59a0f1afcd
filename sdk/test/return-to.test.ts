import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReturnTo } from '../../service/src/domain/login/redirect-url.ts'
import { fc } from '../../service/test/support/generated.ts'
import { createClient, InvalidReturnToError, startLogin } from '../src/index.ts'
import { extractNonce, withNonce } from '../src/login/login-cookies.ts'
import { returnToProblem, toLocation } from '../src/login/redirect.ts'

const PIECES = [
  '/',
  '//',
  '\\',
  '..',
  '.',
  '%2f',
  '%5C',
  '%2e',
  '%09',
  '\t',
  '\n',
  '?',
  '#',
  '@',
  ':',
  'evil.test',
  'a',
  'é',
  '\ud83d',
  '\ufffd',
  '\u0085',
  ' ',
  '%',
  'https:',
  '&x=1',
  'b'.repeat(600),
  '☕'.repeat(400),
]

const path = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''))

test('the SDK and the service accept the same return_to values', () => {
  const agree = (raw: string): void =>
    assert.equal(returnToProblem(raw) === null, readReturnTo(raw).ok, JSON.stringify(raw))
  fc.assert(fc.property(path, agree), { numRuns: 5_000 })
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).map((text) => `/${text}`),
      agree,
    ),
    { numRuns: 2_000 },
  )
})

test('open redirect: an accepted return_to always resolves to the same origin', () => {
  fc.assert(
    fc.property(path, (raw) => {
      if (returnToProblem(raw) !== null) {
        return
      }
      const location = toLocation(raw)
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/)
      assert.equal(new URL(location, 'https://app.example/callback').origin, 'https://app.example')
    }),
    { numRuns: 5_000 },
  )
})

test('extractNonce restores the path of withNonce byte for byte', () => {
  const nonce = '0123456789-_abcdefABCD'
  for (const each of [
    '/',
    '/a',
    '/a?',
    '/a?b=1&c=%20+',
    '/a#x?y',
    '/a?b#c#d',
    '/a?gh_nonce=other',
    '/é?ü',
  ]) {
    assert.deepEqual(extractNonce(withNonce(each, nonce)), { returnTo: each, nonce }, each)
  }
  for (const each of [
    '/',
    '/a?gh_nonce=',
    '/a?gh_nonce=short',
    `/a#?gh_nonce=${nonce}`,
    `/a?gh_nonce=${nonce}&b`,
  ]) {
    assert.deepEqual(extractNonce(each), { returnTo: each, nonce: null }, each)
  }
})

test('loginUrl carries redirect_uri and return_to, and rejects invalid ones', () => {
  const client = createClient({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
  })
  const start = 'https://login.example.com/edge/auth/swift-fox-running-k3qd/google'
  assert.equal(client.loginUrl(), start)
  const full = new URL(
    client.loginUrl({ redirectUri: 'https://app.example/cb?x=1', returnTo: '/a?b=c&d#e' }),
  )
  assert.deepEqual(Object.fromEntries(full.searchParams), {
    redirect_uri: 'https://app.example/cb?x=1',
    return_to: '/a?b=c&d#e',
  })
  assert.throws(() => client.loginUrl({ returnTo: '//evil.example' }), InvalidReturnToError)
  assert.throws(() => client.loginUrl({ redirectUri: '/callback' }), TypeError)
  const fixed = createClient({
    baseUrl: 'https://l.example',
    tenantId: 'a-b',
    redirectUri: 'https://app.example/cb',
  })
  assert.match(fixed.loginUrl(), /redirect_uri=https%3A%2F%2Fapp\.example%2Fcb$/)
})

test('loginUrl and startLogin pass on which Google account to use and which languages, and nothing if the app does not say', async () => {
  const client = createClient({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
  })
  const hints = { loginHint: 'ada+1@example.com', prompt: 'auto', uiLocales: 'de-CH fr' } as const
  const request = new Request('https://app.example/login')
  const started = async (options: Partial<typeof hints>): Promise<URL> => {
    const response = await Promise.resolve(startLogin(request, { client, ...options }))
    return new URL(response.headers.get('location') ?? '')
  }
  for (const url of [new URL(client.loginUrl(hints)), await started(hints)]) {
    const { searchParams } = url
    assert.deepEqual(
      [searchParams.get('login_hint'), searchParams.get('prompt')],
      ['ada+1@example.com', 'auto'],
    )
    assert.equal(searchParams.get('ui_locales'), 'de-CH fr')
  }
  const { searchParams } = await started({})
  assert.deepEqual([...searchParams.keys()].sort(), [
    'code_challenge',
    'code_challenge_method',
    'response_type',
  ])
})
