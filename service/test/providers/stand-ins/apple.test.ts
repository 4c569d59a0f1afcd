import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAppleClientSecret } from '../../../development/apple.ts'
import type { ProviderCredentials } from '../../../src/domain/providers/provider-client.ts'
import { appleClientSecret } from '../../../src/identity/providers/apple.ts'
import { summary } from '../scripted-fetch.ts'
import {
  development,
  newRequestSecrets,
  ownCredentials,
  REDIRECT_URI,
  respond,
  signIn,
} from './stand-in-login.ts'

type Apple = Extract<ProviderCredentials, { kind: 'apple' }>
const NOW = Date.parse('2026-11-16T12:00:00Z')

// proves C390
test('the development Apple posts a form, with the name at the first sign-in of a user to a client only', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const credentials = ownCredentials(baseUrl).apple as Apple
  const userOf = async (button: string, clientId = credentials.clientId, fields = {}) => {
    const browser = newBrowser()
    const provider = ownProvider({ ...credentials, clientId })
    const secrets = newRequestSecrets()
    const back = await respond({ provider, browser }, secrets, button, fields)
    assert.equal(browser.page.status, 200)
    assert.deepEqual(
      [...back.searchParams.keys()].filter((name) => name !== 'user'),
      ['code', 'state'],
      'nothing else, as at Apple',
    )
    return JSON.parse(back.searchParams.get('user') ?? 'null')
  }
  const ada = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' }
  assert.deepEqual(await userOf('Ada Lovelace'), ada)
  assert.equal(await userOf('Ada Lovelace'), null)
  assert.equal((await userOf('Grace Hopper')).name.firstName, 'Grace')
  assert.deepEqual(await userOf('Ada Lovelace', 'com.example.other'), ada)
  assert.deepEqual(await userOf('Continue', undefined, { email: 'mary@example.com' }), {
    email: 'mary@example.com',
  })
})

test('the form of the development Apple works without script, and its page has an origin of its own', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const browser = newBrowser()
  const provider = ownProvider(ownCredentials(baseUrl).apple)
  await respond({ provider, browser }, newRequestSecrets(), 'Ada Lovelace')
  const policy = browser.page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /sandbox allow-forms allow-scripts/)
  assert.doesNotMatch(policy, /allow-same-origin|unsafe-inline/)
  assert.match(policy, /script-src 'self' 'sha256-/)
  assert.equal((await browser.press('Continue')).href, REDIRECT_URI)
})

test('an email address is private if it is one of the relay', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const provider = ownProvider(ownCredentials(baseUrl).apple)
  const email = 'abc@privaterelay.appleid.com'
  const result = await signIn({ provider, browser: newBrowser() }, 'Continue', { email })
  assert.ok(result.outcome === 'identified' && result.profile.email === email)
  assert.equal(result.profile.issuer, 'https://appleid.apple.com')
  assert.match(result.profile.subject, /^\d{6}\.[0-9a-f]{32}\.\d{4}$/)
})

// proves C391
test('a key or team that Apple does not know is invalid_client, when it is checked and when a user signs in', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  for (const change of [{ keyId: 'WRONG12345' }, { teamId: 'WRONG12345' }, { teamId: 'team' }]) {
    const provider = ownProvider({ ...(ownCredentials(baseUrl).apple as Apple), ...change })
    assert.deepEqual(await provider.checkClient(REDIRECT_URI), {
      accepted: false,
      errorCode: 'invalid_client',
    })
    const result = await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace')
    assert.equal(summary(result), 'token_exchange: invalid_client')
  }
})

test('a client secret for Apple is a JWT of at most half a year, for this client and for Apple', () => {
  const credentials = ownCredentials('http://localhost').apple as Apple
  const { clientId } = credentials
  const secret = appleClientSecret(credentials, NOW)
  const [header = '', payload = '', signature = ''] = secret.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const withClaims = (change: object): string =>
    `${header}.${encoded({ ...claims, ...change })}.${signature}`
  const seconds = NOW / 1_000

  assert.ok(isAppleClientSecret(secret, clientId, NOW))
  assert.ok(isAppleClientSecret(withClaims({ exp: seconds + 15_777_000 }), clientId, NOW))
  const refused = [
    withClaims({ exp: seconds + 15_777_001 }),
    withClaims({ exp: seconds }),
    withClaims({ exp: undefined }),
    withClaims({ sub: 'another' }),
    withClaims({ aud: 'https://example.com' }),
    withClaims({ iss: undefined }),
    `${encoded({ alg: 'HS256', kid: 'KEY1234567' })}.${payload}.${signature}`,
    `${encoded({ alg: 'ES256' })}.${payload}.${signature}`,
    `${header}.${payload}.${signature.slice(4)}`,
    `${secret}.${signature}`,
    'any-secret',
    '',
  ]
  for (const each of refused) {
    assert.equal(isAppleClientSecret(each, clientId, NOW), false, each)
  }
})
