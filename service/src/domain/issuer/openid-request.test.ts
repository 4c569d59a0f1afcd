import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openIdFromText, openIdText, readOpenIdRequest, sentOnce } from './openid-request.ts'

const REDIRECT_URI = 'https://app.example.com/cb'

const read = (fields: Readonly<Record<string, string>>, redirectUri = REDIRECT_URI) =>
  readOpenIdRequest(Object.entries({ response_type: 'code', ...fields }), redirectUri)

test('a request keeps what the token endpoint and the redirect need, and turns prompts into what this service does', () => {
  const parsed = read({ scope: 'email openid unknown', state: 's', nonce: 'n', prompt: 'consent' })
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.request, {
    redirectUri: REDIRECT_URI,
    state: 's',
    nonce: 'n',
    scope: 'openid email',
    asksConsent: true,
  })
  assert.deepEqual(openIdFromText(openIdText(parsed.request)), parsed.request)
  assert.equal(openIdFromText(openIdText(null)), null)

  for (const [prompt, expected] of [
    ['login', 'select_account'],
    ['select_account', 'select_account'],
    ['login consent', 'select_account'],
    ['consent', undefined],
    ['unknown', undefined],
  ] as const) {
    const other = read({ prompt })
    assert.ok(other.ok)
    assert.equal(other.prompt, expected, prompt)
    assert.equal(other.request.asksConsent, prompt.includes('consent'))
  }
})

test('an empty parameter counts as absent, and one that was sent twice has no value', () => {
  assert.equal(sentOnce([['client_id', '']], 'client_id'), undefined)
  const twice = [
    ['client_id', 'a'],
    ['client_id', 'b'],
  ] as const
  assert.equal(sentOnce(twice, 'client_id'), undefined)
  const parsed = read({ state: '', nonce: '', code_challenge: '', request: '' })
  assert.ok(parsed.ok)
  assert.deepEqual(
    [parsed.request.state, parsed.request.nonce, parsed.challenge],
    [null, null, null],
  )
})

test('a hint of an account is at most as long as an address', () => {
  for (const [length, isKept] of [
    [254, true],
    [255, false],
  ] as const) {
    const parsed = read({ login_hint: 'a'.repeat(length) })
    assert.ok(parsed.ok)
    assert.equal(parsed.loginHint !== undefined, isKept)
  }
})

test('redirect URI and state fit into one request line, and both of them alone', () => {
  const longUri = `${REDIRECT_URI}?${'x'.repeat(2_000)}`
  assert.equal(read({ state: 's'.repeat(2_048) }, longUri).ok, true)
  assert.equal(read({ state: ' '.repeat(2_048) }).ok, true)
  assert.equal(read({ state: ' '.repeat(2_048) }, longUri).ok, false)
  const [spaces, rest] = [Math.floor((7_000 - longUri.length) / 3), (7_000 - longUri.length) % 3]
  const longest = ' '.repeat(spaces) + 's'.repeat(rest)
  assert.equal(read({ state: longest }, longUri).ok, true)
  assert.equal(read({ state: `${longest}s` }, longUri).ok, false)
})
