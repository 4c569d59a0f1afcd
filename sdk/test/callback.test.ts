import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GatehouseError, handleCallback, readCallbackError, startLogin } from '../src/index.ts'
import {
  APP,
  applySetCookies,
  browserRequest,
  createFixture,
  TRANSPORTS,
} from './support/fixture.ts'
import { type Cookies, loginCallback } from './support/login-callback.ts'
import { apiError, createScriptedClient, json } from './support/scripted-client.ts'

// The flow `tokens`, and what both flows share. The flow `code`: code-flow.test.ts.

const { signInUpToCallback, openCallback } = loginCallback({ flow: 'tokens', home: '/home' })

for (const transport of TRANSPORTS) {
  test(`[${transport}] a callback stores the pair in cookies and redirects to return_to, with no token in the URL`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const { callbackUrl, cookies } = await signInUpToCallback(
      fixture,
      `/login?return_to=${encodeURIComponent('/notes/7?a=1&b=%20#x')}`,
    )
    assert.equal(Object.keys(cookies).length, 1)
    const { location, stored, response } = await openCallback(fixture, callbackUrl, cookies)
    assert.deepEqual([response.status, location], [303, '/notes/7?a=1&b=%20#x'])
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.deepEqual(
      Object.keys(stored).sort(),
      ['gh_access', 'gh_refresh'],
      'the nonce is removed',
    )
    const lines = response.headers.getSetCookie()
    assert.match(
      lines[0] ?? '',
      /^gh_access=eyJ[^;]+; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax$/,
    )
    assert.match(
      lines[1] ?? '',
      /^gh_refresh=svc_rt_[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
    )
    assert.equal(
      (await fixture.client.session(browserRequest('/notes', stored))).user?.email,
      'ada@example.com',
    )
    assert.deepEqual(await fixture.tenant.eventKinds(), ['login_started', 'authorize'])

    const reloaded = await openCallback(fixture, callbackUrl, stored)
    assert.equal(reloaded.location, '/notes/7?a=1&b=%20#x', 'a reloaded callback continues')
    assert.deepEqual(
      reloaded.response.headers.getSetCookie(),
      [],
      'with the session that the browser has',
    )
    assert.equal(
      (await openCallback(fixture, callbackUrl)).location,
      '/sign-in-failed?error=nonce_mismatch&return_to=%2Fnotes%2F7%3Fa%3D1%26b%3D%2520%23x',
      'the nonce was used',
    )
  })

  test(`[${transport}] the tokens of a direct login link are accepted only with requireNonce: false; otherwise a login of this browser follows`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const browser = fixture.service.browser()
    await browser.open(
      fixture.client.loginUrl({ redirectUri: `${APP}/callback`, returnTo: '/notes/7' }),
    )
    await browser.press('Ada Lovelace')
    const callbackUrl = await browser.press('Continue')
    const errors: GatehouseError[] = []
    const onError = (error: GatehouseError): unknown => errors.push(error)
    const ignored = await openCallback(fixture, callbackUrl, {}, { onError })
    const restarted = new URL(ignored.location ?? '')
    assert.equal(restarted.origin + restarted.pathname, fixture.tenant.loginUrl)
    assert.equal(restarted.searchParams.get('redirect_uri'), `${APP}/callback`)
    assert.match(
      errors[0]?.message ?? '',
      /Link to your login route .* or pass requireNonce: false/,
    )
    assert.match(
      Object.keys(ignored.stored).join(),
      /^gh_login_[\w-]{22}$/,
      'the cookie of the new login only',
    )

    fixture.service.clock.advance({ minutes: 1 })
    await browser.open(restarted.href)
    await browser.press('Grace Hopper')
    const second = await openCallback(fixture, await browser.press('Continue'), ignored.stored)
    assert.equal(second.location, '/notes/7')
    assert.equal(
      (await fixture.client.session(browserRequest('/', second.stored))).user?.email,
      'grace@example.com',
    )

    const { location, stored } = await openCallback(
      fixture,
      callbackUrl,
      {},
      { requireNonce: false },
    )
    assert.equal(location, '/notes/7')
    assert.equal(
      (await fixture.client.session(browserRequest('/', stored))).user?.email,
      'ada@example.com',
    )
  })

  test(`[${transport}] a missing return_to and one that leads to another site redirect to home`, async (t) => {
    const fixture = await createFixture(t, { transport })
    for (const path of [
      '/login',
      '/login?return_to=https://evil.example/',
      '/login?return_to=//evil.example',
    ]) {
      const { callbackUrl, cookies } = await signInUpToCallback(fixture, path)
      assert.equal((await openCallback(fixture, callbackUrl, cookies)).location, '/home')
    }
    const long = `/${'a'.repeat(1_010)}`
    const { callbackUrl, cookies } = await signInUpToCallback(fixture, `/login?return_to=${long}`)
    assert.equal(
      (await openCallback(fixture, callbackUrl, cookies)).location,
      '/home',
      'a return_to too long for the nonce',
    )
  })

  test(`[${transport}] non-ASCII characters in return_to are percent-encoded in Location`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const { callbackUrl, cookies } = await signInUpToCallback(
      fixture,
      `/login?return_to=${encodeURIComponent('/café/☕?q=ü')}`,
    )
    const { location } = await openCallback(fixture, callbackUrl, cookies)
    assert.equal(decodeURI(location ?? ''), '/café/☕?q=ü')
  })

  test(`[${transport}] rotateOnCallback revokes the pair that was in the URL`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const { callbackUrl, cookies } = await signInUpToCallback(fixture, '/login')
    const { stored } = await openCallback(fixture, callbackUrl, cookies, { rotateOnCallback: true })
    assert.notEqual(stored.gh_refresh, callbackUrl.searchParams.get('refresh_token'))
    assert.equal(
      await fixture.tenant.isValid(callbackUrl.searchParams.get('access_token') ?? ''),
      false,
    )
    assert.equal((await fixture.client.session(browserRequest('/', stored))).status, 'signedIn')
    assert.deepEqual(await fixture.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
    ])
  })

  test(`[${transport}] a rate-limited rotateOnCallback does not fail the sign-in`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const { callbackUrl, cookies } = await signInUpToCallback(fixture, '/login')
    let { refreshToken } = await fixture.signIn('Grace Hopper')
    for (let i = 0; i < 5; i++) {
      refreshToken = (await fixture.client.refresh(refreshToken)).refreshToken
    }
    const errors: GatehouseError[] = []
    const { location, stored } = await openCallback(fixture, callbackUrl, cookies, {
      rotateOnCallback: true,
      onError: (error) => errors.push(error),
    })
    assert.equal(location, '/home')
    assert.equal(stored.gh_refresh, callbackUrl.searchParams.get('refresh_token'))
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['rateLimited'],
    )
  })

  test(`[${transport}] a denied consent and a failed login redirect to errorPath with the error code and return_to`, async (t) => {
    const fixture = await createFixture(t, { transport })
    const denied = await signInUpToCallback(fixture, '/login?return_to=/notes/7', 'Cancel')
    const { location, stored } = await openCallback(fixture, denied.callbackUrl, denied.cookies)
    assert.equal(location, '/sign-in-failed?error=access_denied&return_to=%2Fnotes%2F7')
    assert.deepEqual(stored, {})
    assert.match(readCallbackError('access_denied')?.message ?? '', /did not agree/)
    assert.equal(
      (await openCallback(fixture, '/callback?error=login_failed')).location,
      '/sign-in-failed?error=login_failed',
    )
    assert.equal(
      (await openCallback(fixture, '/callback?error=<script>')).location,
      '/sign-in-failed?error=login_failed',
      'an unknown error code is not repeated',
    )
    assert.equal(readCallbackError('<script>'), null)
    assert.equal(readCallbackError('toString'), null)
  })
}

test('a callback with missing, repeated or malformed tokens is rejected without a request to the service', async () => {
  const { client, sent } = createScriptedClient([])
  const cases: readonly (readonly [string, string])[] = [
    ['/callback', 'missing_tokens'],
    ['/callback?access_token=a', 'missing_tokens'],
    ['/callback?refresh_token=a', 'missing_tokens'],
    ['/callback?access_token=&refresh_token=b', 'missing_tokens'],
    ['/callback?access_token=a&access_token=b&refresh_token=c', 'missing_tokens'],
    ['/callback?access_token=a%0d%0aSet-Cookie:x=1&refresh_token=c', 'invalid_tokens'],
    ['/callback?access_token=a;b&refresh_token=c', 'invalid_tokens'],
    [`/callback?access_token=${'a'.repeat(5_000)}&refresh_token=c`, 'invalid_tokens'],
    [
      '/callback?access_token=a&refresh_token=c&return_to=/x?gh_nonce=0123456789abcdefghijkl',
      'nonce_mismatch',
    ],
    ['/callback?access_token=a&access_token=b&error=access_denied&error=x', 'login_failed'],
  ]
  for (const [path, error] of cases) {
    const { location, stored } = await openCallback({ client }, path)
    assert.equal(new URLSearchParams(location?.split('?')[1]).get('error'), error, path)
    assert.deepEqual(stored, {}, path)
  }
  assert.deepEqual(sent, [])
})

test("login CSRF: an attacker cannot sign a victim in to the attacker's account", async (t) => {
  const fixture = await createFixture(t)
  const attacker = await signInUpToCallback(fixture, '/login?return_to=/pay')
  const victim = applySetCookies(
    (
      await startLogin(browserRequest('/login'), { client: fixture.client, flow: 'tokens' })
    ).headers.getSetCookie(),
  )
  for (const cookies of [{}, victim]) {
    const { location, stored } = await openCallback(fixture, attacker.callbackUrl, cookies)
    assert.equal(location, '/sign-in-failed?error=nonce_mismatch&return_to=%2Fpay')
    assert.deepEqual(stored, cookies)
  }
  const unguarded = await openCallback(fixture, attacker.callbackUrl, {}, { requireNonce: false })
  assert.equal(unguarded.location, '/pay')
})

test("another tenant's tokens, spent tokens and forged tokens are rejected", async (t) => {
  const fixture = await createFixture(t)
  const other = await fixture.service.agent.createTenant([`${APP}/callback`])
  const otherTenants = await other.signIn(fixture.service.browser())
  const spent = await fixture.signIn()
  await fixture.client.refresh(spent.refreshToken)
  const pairs = [
    { accessToken: otherTenants.access_token, refreshToken: otherTenants.refresh_token },
    spent,
    { accessToken: 'eyJ.made.up', refreshToken: 'svc_rt_up' },
  ]
  for (const { accessToken, refreshToken } of pairs) {
    for (const rotateOnCallback of [false, true]) {
      const query = new URLSearchParams({ access_token: accessToken, refresh_token: refreshToken })
      const { location, stored } = await openCallback(
        fixture,
        `/callback?${query}`,
        {},
        { requireNonce: false, rotateOnCallback },
      )
      assert.deepEqual([location, stored], ['/sign-in-failed?error=invalid_tokens', {}])
    }
  }
  assert.equal(
    await other.isValid(otherTenants.access_token),
    true,
    "the other tenant's session is still valid",
  )
})

test('without a return_to, the home of handleCallback decides, unless startLogin has one', async (t) => {
  const fixture = await createFixture(t)
  const { client } = fixture
  for (const [home, expected] of [
    [undefined, '/home'],
    ['/start', '/start'],
  ] as const) {
    const started = await startLogin(browserRequest('/login'), {
      client,
      flow: 'tokens',
      ...(home === undefined ? {} : { home }),
    })
    const browser = fixture.service.browser()
    await browser.open(started.headers.get('location') ?? '')
    await browser.press('Ada Lovelace')
    const cookies = applySetCookies(started.headers.getSetCookie())
    assert.equal(
      (await openCallback(fixture, await browser.press('Continue'), cookies)).location,
      expected,
    )
    fixture.service.clock.advance({ minutes: 1 })
  }
})

test('a return_to that leads to another site redirects to home', async () => {
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%2f/evil.example',
    '/..//evil.example',
  ]) {
    const { client } = createScriptedClient([
      json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } }),
    ])
    const query = new URLSearchParams({ access_token: 'a', refresh_token: 'b', return_to: path })
    const { location } = await openCallback(
      { client },
      `/callback?${query}`,
      {},
      { requireNonce: false },
    )
    assert.equal(location, '/home', path)
  }
})

test('every error of the service redirects to errorPath and calls onError', async () => {
  const cases: readonly (readonly [Response | Error, string])[] = [
    [apiError('tenantPaused', 403), 'tenant_paused'],
    [apiError('tenantSuspended', 403), 'tenant_suspended'],
    [apiError('tenantExpired', 410), 'tenant_expired'],
    [apiError('notProvisioned', 403), 'not_set_up'],
    [apiError('tenantNotFound', 404), 'not_set_up'],
    [apiError('rateLimited', 429, { 'Retry-After': '60' }), 'rate_limited'],
    [apiError('temporarilyUnavailable', 503, { 'Retry-After': '60' }), 'unavailable'],
    [new Response('<h1>Hello</h1>'), 'unavailable'],
  ]
  for (const [response, error] of cases) {
    const { client } = createScriptedClient([response])
    const errors: GatehouseError[] = []
    const onError = (each: GatehouseError): unknown => errors.push(each)
    const { location } = await openCallback(
      { client },
      '/callback?access_token=a&refresh_token=b',
      {},
      { requireNonce: false, onError },
    )
    assert.equal(location, `/sign-in-failed?error=${error}`)
    assert.equal(errors.length, 1)
    assert.match(readCallbackError(error)?.message ?? '', /\.$/)
  }
  const { client } = createScriptedClient([
    json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } }),
    apiError('tenantPaused', 403),
  ])
  const options = { requireNonce: false, rotateOnCallback: true }
  const { location } = await openCallback(
    { client },
    '/callback?access_token=a&refresh_token=b',
    {},
    options,
  )
  assert.equal(location, '/sign-in-failed?error=tenant_paused')
})

test('a callback with linked continues at return_to or home, and touches neither the session nor a login of another tab', async () => {
  const { client, sent } = createScriptedClient([])
  const cookies = { gh_access: 'a', gh_refresh: 'r', gh_login_abcdefgh: 'v' }
  for (const errorPath of [undefined, '/sign-in-failed']) {
    for (const [query, location] of [
      ['linked=github', '/home'],
      ['linked=github&return_to=/settings', '/settings'],
      ['linked=github&return_to=//evil.example', '/home'],
    ]) {
      const request = browserRequest(`/callback?${query}`, cookies)
      const response = await handleCallback(request, { client, home: '/home', errorPath })
      assert.deepEqual([response.status, response.headers.get('location')], [303, location])
      assert.deepEqual(response.headers.getSetCookie(), [])
    }
  }
  for (const query of [
    'linked=github&error=access_denied',
    'linked=github&code=x',
    'linked=github&access_token=a',
  ]) {
    const options = { client, errorPath: '/sign-in-failed' }
    const { headers } = await handleCallback(browserRequest(`/callback?${query}`), options)
    assert.match(headers.get('location') ?? '', /^\/sign-in-failed\?error=/, query)
  }
  assert.deepEqual(sent, [])
})

test('methods other than GET are 405, and an errorPath on another site throws', async () => {
  const { client } = createScriptedClient([
    json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } }),
  ])
  for (const method of ['POST', 'HEAD', 'DELETE']) {
    const response = await handleCallback(browserRequest('/callback', {}, { method }), { client })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
  }
  const external = handleCallback(browserRequest('/callback?error=x'), {
    client,
    errorPath: 'https://evil.example',
  })
  await assert.rejects(external, /path inside your app/)
})

test('two tabs can sign in concurrently, and a restored window of 40 tabs too; beyond 50 logins the oldest are forgotten', async (t) => {
  const fixture = await createFixture(t)
  const first = await signInUpToCallback(fixture, '/login?return_to=/a')
  const second = await signInUpToCallback(fixture, '/login?return_to=/b')
  const both = { ...first.cookies, ...second.cookies }
  const opened = await openCallback(fixture, first.callbackUrl, both)
  assert.equal(opened.location, '/a')
  assert.equal((await openCallback(fixture, second.callbackUrl, opened.stored)).location, '/b')

  let cookies: Cookies = {}
  for (let i = 0; i < 60; i++) {
    const started = await startLogin(browserRequest('/login', cookies), { client: fixture.client })
    cookies = applySetCookies(started.headers.getSetCookie(), cookies)
  }
  assert.equal(Object.keys(cookies).length, 50)
  const header = Object.entries(cookies).map((pair) => pair.join('='))
  assert.ok(header.join('; ').length < 4_096, 'far from the 8 KB that proxies allow')
})
