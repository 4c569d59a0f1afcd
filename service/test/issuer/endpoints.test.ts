import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOpenIdConfiguration, SAMPLE } from '@gatehouse-auth/contract'
import * as client from 'openid-client'
import { OpenIdApp } from '../support/actors/openid-app.ts'
import { world } from '../support/world.ts'

const ORIGIN = 'http://localhost:3000'

test('discovery names every endpoint of the issuer, as documented, also while ID tokens for other systems are off', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { status, json, headers } = await app.read('openid-configuration')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'public, max-age=600')
  assert.equal(json.issuer, app.issuer)
  const documented = JSON.stringify(readOpenIdConfiguration.example.response)
    .replaceAll('{base_url}', service.baseUrl)
    .replaceAll(SAMPLE.tenantId, app.tenant.id)
  assert.deepEqual(json, JSON.parse(documented))
  const { keys } = (await app.read('jwks.json')).json
  assert.deepEqual(
    keys.map(({ alg }: { alg: string }) => alg),
    ['RS256', 'ES256'],
  )
})

// proves C400
test('openid-client signs in, refreshes, introspects, revokes and logs out by discovery alone, confidential and public', async (t) => {
  const service = await world(t, { through: 'port', realTime: true })
  for (const hasSecret of [true, false]) {
    const app = new OpenIdApp(service, await service.agent.createTenant(), { hasSecret })
    const options = { execute: [client.allowInsecureRequests] }
    const config = hasSecret
      ? await client.discovery(
          new URL(app.issuer),
          app.tenant.id,
          app.tenant.applicationKey,
          undefined,
          options,
        )
      : await client.discovery(
          new URL(app.issuer),
          app.tenant.id,
          undefined,
          client.None(),
          options,
        )

    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
    const login = client.buildAuthorizationUrl(config, {
      redirect_uri: app.redirectUri,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const browser = service.browser()
    await browser.open(login)
    await browser.press('Ada Lovelace')
    const callback = await browser.press('Continue')
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    })
    const subject = `${app.tenant.id}|1`
    assert.equal(tokens.claims()?.sub, subject)
    assert.equal(
      (await client.fetchUserInfo(config, tokens.access_token, subject)).email,
      'ada@example.com',
    )

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.equal(refreshed.claims()?.sub, subject)
    if (hasSecret) {
      const facts = await client.tokenIntrospection(config, refreshed.access_token)
      assert.deepEqual(
        [facts.active, facts.sub, facts.username],
        [true, subject, 'ada@example.com'],
      )
    }
    const back = `${new URL(app.redirectUri).origin}/`
    const logout = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: back,
    })
    assert.equal((await service.browser().open(logout)).href, back)
    await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''), {
      error: 'invalid_grant',
    })
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
  }
})

// proves S140
test('pages of the app may call token, userinfo and revoke, those of strangers may not, and introspection is for servers', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant([`${ORIGIN}/cb`]), {
    redirectUri: `${ORIGIN}/cb`,
    hasSecret: false,
  })
  const { tokens } = await app.signIn(service.browser())
  const preflight = (act: string, origin: string) =>
    service.agent.call('OPTIONS', `${new URL(app.issuer).pathname}/oauth/${act}`, {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
  for (const [act, methods] of [
    ['token', 'POST'],
    ['userinfo', 'GET, POST'],
    ['revoke', 'POST'],
    ['introspect', null],
  ] as const) {
    const own = await preflight(act, ORIGIN)
    assert.equal(own.headers.get('access-control-allow-methods'), methods, act)
    const foreign = await preflight(act, 'https://evil.example')
    assert.equal(foreign.headers.has('access-control-allow-origin'), false)
  }

  const refreshed = await app.post(
    'token',
    { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
    { Origin: ORIGIN },
  )
  assert.equal(refreshed.headers.get('access-control-allow-origin'), ORIGIN)
  assert.equal(refreshed.headers.get('cache-control'), 'no-store')
  const foreign = await app.post(
    'revoke',
    { token: refreshed.json.refresh_token },
    { Origin: 'https://evil.example' },
  )
  assert.equal(foreign.headers.has('access-control-allow-origin'), false)
})

test('userinfo takes the token in the header or in a posted form, never in the URL', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { tokens } = await app.signIn(service.browser())
  const path = `${new URL(app.issuer).pathname}/oauth/userinfo`
  const posted = await app.post('userinfo', { access_token: tokens.access_token })
  assert.equal(posted.json.sub, `${app.tenant.id}|1`)

  const inUrl = await service.agent.call('GET', `${path}?access_token=${tokens.access_token}`)
  assert.deepEqual([inUrl.status, inUrl.json.error], [401, 'invalid_token'])
  assert.equal(inUrl.headers.get('www-authenticate'), 'Bearer realm="gatehouse"')
  const wrong = await app.userInfo('wrong')
  assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
})

// proves C406
test('revocation ends the session by either token and succeeds for an unknown one; introspection needs the key', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const { tokens } = await app.signIn(service.browser())
    const before = await app.post('introspect', { token: tokens[kind] })
    assert.deepEqual(
      [before.json.active, before.json.sub, before.json.client_id, before.json.username],
      [true, `${app.tenant.id}|1`, app.tenant.id, 'ada@example.com'],
    )
    assert.equal(before.json.token_type, kind === 'access_token' ? 'Bearer' : undefined)
    const revoked = await app.post('revoke', { token: tokens[kind], client_secret: undefined })
    assert.deepEqual([revoked.status, revoked.json], [200, {}])
    assert.equal((await app.userInfo(tokens.access_token)).status, 401)
    assert.equal((await app.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
    assert.deepEqual((await app.post('introspect', { token: tokens[kind] })).json, {
      active: false,
    })
  }
  assert.equal((await app.post('revoke', { token: 'unknown' })).status, 200)
  const withoutKey = await app.post('introspect', { token: 'x', client_secret: undefined })
  assert.deepEqual([withoutKey.status, withoutKey.json.error], [401, 'invalid_client'])
  assert.deepEqual((await app.tenant.eventKinds()).slice(-1), ['logout'])
})

// proves C407
test('without a hint a logout ends nothing; with one the person sees that they are signed out', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { tokens } = await app.signIn(service.browser())
  const browser = service.browser()
  await browser.open(`${app.issuer}/oauth/logout`)
  assert.equal(browser.page.status, 200)
  assert.equal((await app.userInfo(tokens.access_token)).status, 200)

  service.clock.advance({ hours: 2 })
  await browser.open(
    `${app.issuer}/oauth/logout?id_token_hint=${tokens.id_token}&client_id=${app.tenant.id}`,
  )
  assert.match(browser.page.text, /You’re signed out of the app/)
  assert.equal((await app.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
  const posted = await service.browser().request(`${app.issuer}/oauth/logout`, {
    method: 'POST',
    body: new URLSearchParams({ id_token_hint: tokens.id_token }),
  })
  assert.equal(posted.status, 200, 'the session has ended, and that is what was asked')
  assert.deepEqual(await app.tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
})

test('a refused logout names the parameter and what to send, also on its page', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const browser = service.browser()
  for (const [name, value, remedy] of [
    ['post_logout_redirect_uri', '/', /Send a URL with the scheme, host and port of one of/],
    ['client_id', 'another', /Send the tenant id of this project/],
    ['id_token_hint', 'x.y.z', /Send an ID token that the token endpoint of this project issued/],
  ] as const) {
    const query = new URLSearchParams({ [name]: value })
    await browser.open(`${app.issuer}/oauth/logout?${query}`)
    assert.equal(browser.page.status, 400)
    assert.match(browser.page.text, new RegExp(`${name} is not valid\\. Nothing was ended\\.`))
    assert.match(browser.page.text, remedy)
  }
})

test('the token endpoint takes a form by POST and names what is missing', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  for (const [fields, error] of [
    [{}, 'invalid_request'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code' }, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
  ] as const) {
    const response = await app.post('token', fields)
    assert.deepEqual([response.status, response.json.error], [400, error])
  }
  const path = `${new URL(app.issuer).pathname}/oauth/token`
  const got = await service.agent.call('GET', path)
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS'])
  const json = await service.agent.call('POST', path, { body: { grant_type: 'refresh_token' } })
  assert.deepEqual([json.status, json.json.error], [400, 'invalid_request'])
})

test('a code is worth nothing after its minute, and a limit is 429 with Retry-After and consumes nothing', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const late = await app.signInForCode(service.browser())
  service.clock.advance({ seconds: 61 })
  assert.equal((await app.exchange(late)).json.error, 'invalid_grant')

  const { tokens } = await app.signIn(service.browser())
  let refreshToken = tokens.refresh_token
  for (;;) {
    const response = await app.refresh(refreshToken)
    if (response.status !== 200) {
      assert.deepEqual([response.status, response.json.error], [429, 'temporarily_unavailable'])
      assert.ok(Number(response.headers.get('retry-after')) > 0)
      break
    }
    refreshToken = response.json.refresh_token
  }
  service.clock.advance({ minutes: 1 })
  assert.equal((await app.refresh(refreshToken)).status, 200)
})

test('introspection calls a spent and an expired refresh token inactive, as the token endpoint does', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { tokens } = await app.signIn(service.browser())
  const { json: next } = await app.refresh(tokens.refresh_token)
  const isActive = async (token: string): Promise<boolean> =>
    (await app.post('introspect', { token })).json.active
  assert.deepEqual(
    [await isActive(tokens.refresh_token), await isActive(next.refresh_token)],
    [false, true],
  )
  assert.equal(await isActive(`${next.refresh_token}x`), false)
})

test('an ID token has the claims of the owner and of the user, as those for other systems have', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  await app.signIn(service.browser())
  const id_tokens = { audiences: ['db'], claims: { plan: 'free', role: 'user' } }
  await app.tenant.manage('PATCH', '/api/social-login/settings', { id_tokens })
  const claims = { role: 'admin' }
  await app.tenant.manage('PUT', '/api/social-login/users/1/claims', { claims })
  const signedIn = await app.signIn(service.browser())
  assert.deepEqual([signedIn.claims.plan, signedIn.claims.role], ['free', 'admin'])
})

test('keys are read from the database once a minute, so that a key of another instance is noticed', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { signingKeys } = service.app.ctx.stores
  const list = t.mock.method(signingKeys, 'list')
  await Promise.all([1, 2, 3].map(() => app.read('jwks.json')))
  const first = list.mock.callCount()
  assert.equal(first, 2, 'before and after the key was made, for all three requests')
  service.clock.advance({ seconds: 59 })
  await app.read('jwks.json')
  assert.equal(list.mock.callCount(), first)
  service.clock.advance({ seconds: 1 })
  await app.read('jwks.json')
  assert.equal(list.mock.callCount(), first + 1)
})

test('each endpoint names what is missing, and an unknown project is an unknown client', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  for (const act of ['revoke', 'introspect']) {
    const missing = await app.post(act, {})
    assert.deepEqual([missing.status, missing.json.error], [400, 'invalid_request'])
    const foreign = await app.post(act, { token: 'x', client_id: 'another' })
    assert.deepEqual([foreign.status, foreign.json.error], [401, 'invalid_client'])
  }
  const noForm = await service.agent.call(
    'POST',
    `${new URL(app.issuer).pathname}/oauth/userinfo`,
    {
      body: {},
    },
  )
  assert.deepEqual([noForm.status, noForm.json.error], [400, 'invalid_request'])
  for (const act of ['authorize', 'logout']) {
    const path = `/edge/auth/swift-fox-running-00000/oauth/${act}`
    const unknown = await service.agent.call('GET', path)
    assert.deepEqual([unknown.status, unknown.json.error], [404, 'invalid_client'])
  }
})
