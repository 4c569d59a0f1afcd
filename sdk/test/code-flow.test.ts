import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GatehouseError, startLogin } from '../src/index.ts'
import { applySetCookies, browserRequest, createFixture, TRANSPORTS } from './support/fixture.ts'
import { type Cookies, loginCallback } from './support/login-callback.ts'
import { apiError, createScriptedClient, json, PAIR } from './support/scripted-client.ts'

const CODE = `svc_ac_01234567_${'c'.repeat(43)}`
const STARTED: Cookies = { gh_login_01234567: 'v'.repeat(43) }

const { signInUpToCallback, openCallback } = loginCallback()

for (const transport of TRANSPORTS) {
  test(`[${transport}] by default no token is in a URL: the callback exchanges a code and redirects to return_to`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const returnTo = '/notes/7?a=1&b=%20#x'
    const { callbackUrl, cookies, startLines } = await signInUpToCallback(
      fixture,
      `/login?return_to=${encodeURIComponent(returnTo)}`,
    )
    assert.match(
      startLines[0] ?? '',
      /^gh_login_[\w-]{8}=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; Secure; SameSite=Lax$/,
    )
    assert.deepEqual([...callbackUrl.searchParams.keys()], ['code', 'return_to'])
    const { location, stored } = await openCallback(fixture, callbackUrl, cookies)
    assert.equal(location, returnTo)
    assert.deepEqual(
      Object.keys(stored).sort(),
      ['gh_access', 'gh_refresh'],
      'the verifier is removed',
    )
    assert.equal(
      (await fixture.client.session(browserRequest('/notes', stored))).user?.email,
      'ada@example.com',
    )

    const again = await openCallback(fixture, callbackUrl, cookies)
    assert.deepEqual(
      again.stored,
      stored,
      'the same callback twice, as after a double click, gets the same pair',
    )
    const reloaded = await openCallback(fixture, callbackUrl, stored)
    assert.equal(reloaded.location, returnTo, 'a reloaded callback continues')
    assert.deepEqual(
      reloaded.response.headers.getSetCookie(),
      [],
      'with the session that the browser has',
    )
    assert.equal(
      (await fixture.client.session(browserRequest('/notes', stored))).status,
      'signedIn',
    )
    assert.deepEqual(await fixture.tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${transport}] a code does not sign another browser in (login CSRF)`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const attacker = await signInUpToCallback(fixture, '/login?return_to=/pay')
    const victim = applySetCookies(
      (
        await startLogin(browserRequest('/login'), { client: fixture.client })
      ).headers.getSetCookie(),
    )
    for (const cookies of [{}, victim]) {
      const { location, stored } = await openCallback(fixture, attacker.callbackUrl, cookies)
      assert.equal(location, '/sign-in-failed?error=nonce_mismatch&return_to=%2Fpay')
      assert.deepEqual(stored, cookies)
    }
    const planted = new URL(attacker.callbackUrl)
    const hint = /^svc_ac_([\w-]{8})/.exec(planted.searchParams.get('code') ?? '')?.[1]
    const { location } = await openCallback(fixture, planted, {
      [`gh_login_${hint}`]: 'v'.repeat(43),
    })
    assert.equal(
      location,
      '/sign-in-failed?error=invalid_tokens&return_to=%2Fpay',
      'a wrong verifier',
    )
  })

  test(`[${transport}] a code that was not opened within a minute opens no session`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const { callbackUrl, cookies } = await signInUpToCallback(fixture, '/login')
    fixture.service.clock.advance({ minutes: 1 })
    const errors: GatehouseError[] = []
    const { location, stored } = await openCallback(fixture, callbackUrl, cookies, {
      onError: (error) => errors.push(error),
    })
    assert.deepEqual([location, stored], ['/sign-in-failed?error=invalid_tokens', {}])
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['invalidCode'],
    )
  })
}

test('a denied consent redirects to errorPath; a missing return_to and one to another site redirect to home', async (t) => {
  const fixture = await createFixture(t)
  const denied = await signInUpToCallback(fixture, '/login?return_to=/notes/7', 'Cancel')
  const { location } = await openCallback(fixture, denied.callbackUrl, denied.cookies)
  assert.equal(location, '/sign-in-failed?error=access_denied&return_to=%2Fnotes%2F7')
  for (const path of ['/login', '/login?return_to=//evil.example']) {
    const { callbackUrl, cookies } = await signInUpToCallback(fixture, path)
    assert.equal((await openCallback(fixture, callbackUrl, cookies)).location, '/home')
  }
})

test('tokens in the URL are not accepted in the code flow, even with the cookie of a login', async () => {
  const { client, sent } = createScriptedClient([])
  const nonce = '0123456789abcdefghijkl'
  const query = `access_token=a&refresh_token=b&return_to=/x?gh_nonce=${nonce}`
  const { location, stored } = await openCallback({ client }, `/callback?${query}`, {
    [`gh_login_${nonce}`]: '1',
  })
  assert.equal(new URLSearchParams(location?.split('?')[1]).get('error'), 'nonce_mismatch')
  assert.equal('gh_refresh' in stored, false)
  assert.deepEqual(sent, [])
})

test('a repeated or malformed code is rejected without a request to the service', async () => {
  const { client, sent } = createScriptedClient([])
  for (const query of [
    'code=',
    'code=x',
    `code=${CODE}&code=${CODE}`,
    `code=${CODE};x`,
    `code=${CODE}x`,
  ]) {
    const { location } = await openCallback({ client }, `/callback?${query}`, STARTED)
    assert.equal(location, '/sign-in-failed?error=invalid_tokens', query)
  }
  assert.deepEqual(sent, [])
})

test('an exchange without a response is repeated with the same key, which the verifier determines', async () => {
  const { client, sent } = createScriptedClient([new Error('reset'), json(PAIR), json(PAIR)])
  const { location, stored } = await openCallback({ client }, `/callback?code=${CODE}`, STARTED)
  assert.deepEqual(
    [location, stored],
    ['/home', { gh_access: 'access-2', gh_refresh: 'refresh-2' }],
  )
  await openCallback({ client }, `/callback?code=${CODE}`, STARTED)
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  assert.match(keys[0] ?? '', /^[\w-]{43}$/)
  assert.ok(sent.every(({ url }) => url.endsWith('/token')))
  assert.deepEqual(sent[0]?.body, { code: CODE, code_verifier: 'v'.repeat(43) })
})

test('errors of the exchange redirect to errorPath and call onError', async () => {
  const cases: readonly (readonly [Response, string])[] = [
    [apiError('invalidCode', 401), 'invalid_tokens'],
    [apiError('invalidRedirectUri', 400), 'invalid_tokens'],
    [apiError('tenantPaused', 403), 'tenant_paused'],
    [apiError('tenantSuspended', 403), 'tenant_suspended'],
    [apiError('temporarilyUnavailable', 503, { 'Retry-After': '60' }), 'unavailable'],
  ]
  for (const [response, error] of cases) {
    const { client } = createScriptedClient([response])
    const errors: GatehouseError[] = []
    const onError = (each: GatehouseError): unknown => errors.push(each)
    const { location } = await openCallback({ client }, `/callback?code=${CODE}`, STARTED, {
      onError,
    })
    assert.equal(location, `/sign-in-failed?error=${error}`)
    assert.equal(errors.length, 1)
  }
})
