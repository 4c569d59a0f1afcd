import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { newVerifier } from '../support/actors/login-code.ts'
import { OpenIdApp } from '../support/actors/openid-app.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const assertError = (response: ApiResponse, status: number, error: string): void => {
  assert.deepEqual([response.status, response.json?.error], [status, error], response.text)
  assert.equal(typeof response.json.error_description, 'string')
  assert.equal('access_token' in response.json, false)
}

for (const engine of ENGINES) {
  // proves S134
  test(`[${engine}] mix-up: a code, a key and a token of one project are worth nothing at another, and iss names the issuer`, async (t) => {
    const service = await world(t, { engine })
    const [a, b] = [await service.agent.createTenant(), await service.agent.createTenant()]
    const [appA, appB] = [new OpenIdApp(service, a), new OpenIdApp(service, b)]
    const login = await appA.signInForCode(service.browser())
    assert.equal(login.callback.searchParams.get('iss'), appA.issuer)

    assertError(await appB.exchange(login), 400, 'invalid_grant')
    assertError(
      await appA.exchange(login, { client_secret: b.applicationKey }),
      401,
      'invalid_client',
    )
    assertError(await appA.exchange(login, { client_id: b.id }), 401, 'invalid_client')
    const tokens = (await appA.exchange(login)).json
    assert.ok(tokens.access_token, 'the refusals consumed nothing')

    assertError(await appB.userInfo(tokens.access_token), 401, 'invalid_token')
    assertError(await appB.refresh(tokens.refresh_token), 400, 'invalid_grant')
    assert.deepEqual((await appB.post('introspect', { token: tokens.access_token })).json, {
      active: false,
    })
    assert.equal((await appB.post('revoke', { token: tokens.refresh_token })).status, 200)
    await assert.rejects(appB.verify(tokens.id_token), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
    assert.equal((await appA.userInfo(tokens.access_token)).status, 200, 'B ended nothing of A')
  })

  // proves S133
  test(`[${engine}] a stolen code is worth nothing without its verifier, its redirect_uri or the key, and no proof stands in for another`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const [withPkce, withKey] = [true, false].map(
      (pkce) => new OpenIdApp(service, tenant, { pkce }),
    )
    assert.ok(withPkce && withKey)

    const challenged = await withPkce.signInForCode(service.browser())
    for (const changes of [
      { code_verifier: undefined },
      { code_verifier: newVerifier() },
      { redirect_uri: `${withPkce.redirectUri}/` },
    ]) {
      assertError(await withPkce.exchange(challenged, changes), 400, 'invalid_grant')
    }
    const atOurEndpoint = { code: challenged.code, code_verifier: challenged.verifier }
    assertApiError(await tenant.edge('token', atOurEndpoint), 'invalidCode')
    assert.equal((await withPkce.exchange(challenged)).status, 200)

    const keyed = await withKey.signInForCode(service.browser(), 'Grace Hopper')
    for (const changes of [
      { client_secret: undefined },
      { client_secret: undefined, code_verifier: keyed.verifier },
      { code_verifier: keyed.verifier },
      { client_secret: undefined, code_verifier: 'no-challenge' },
    ]) {
      assertError(await withKey.exchange(keyed, changes), 400, 'invalid_grant')
    }
    assert.equal((await withKey.exchange(keyed)).status, 200)
  })

  // proves S136
  test(`[${engine}] of ten exchanges at once one succeeds, and a second use ends the session`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const login = await app.signInForCode(service.browser())
    const responses = await Promise.all(Array.from({ length: 10 }, () => app.exchange(login)))
    const succeeded = responses.filter(({ status }) => status === 200)
    assert.equal(succeeded.length, 1)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      assertError(response, 400, 'invalid_grant')
    }
    assertError(await app.userInfo(succeeded[0]?.json.access_token), 401, 'invalid_token')
    assert.deepEqual(await app.tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
  })

  // proves C404, S137
  test(`[${engine}] a second tab and a lost response get the same pair for a minute; later the session ends`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const { tokens } = await app.signIn(service.browser())
    const [one, two] = await Promise.all([1, 2].map(() => app.refresh(tokens.refresh_token)))
    assert.deepEqual([one?.status, two?.status], [200, 200])
    assert.equal(one?.json.refresh_token, two?.json.refresh_token)
    assert.equal(one?.json.access_token, two?.json.access_token)

    service.clock.advance({ seconds: 60 })
    const again = await app.refresh(tokens.refresh_token)
    assert.equal(again.json.refresh_token, one?.json.refresh_token)
    service.clock.advance({ seconds: 1 })
    assertError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant')
    assertError(await app.refresh(one?.json.refresh_token), 400, 'invalid_grant')
    assert.deepEqual(await app.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
  })

  // proves C405
  test(`[${engine}] a blocked user is out at once: no refresh, no user info, and the reason at the next sign-in`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const { tokens } = await app.signIn(service.browser())
    await app.tenant.manage('POST', '/api/social-login/users/1/block')
    assertError(await app.userInfo(tokens.access_token), 401, 'invalid_token')
    assertError(await app.refresh(tokens.refresh_token), 400, 'invalid_grant')
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.deepEqual((await app.post('introspect', { token })).json, { active: false })
    }
    // The webhook that /docs/openid names, for the sessions of a library.
    const { event, user_id, metadata } = (await app.tenant.events()).at(-1) ?? {}
    assert.deepEqual([event, user_id, metadata?.reason], ['logout', 1, 'owner'])

    const browser = service.browser()
    service.clock.advance({ minutes: 1 })
    const { url, state } = app.start()
    await browser.open(url)
    const refused = await browser.press('Ada Lovelace')
    assert.deepEqual(Object.fromEntries(refused.searchParams), {
      error: 'access_denied',
      error_description: 'The owner of the app blocked this user.',
      state,
      iss: app.issuer,
    })
  })
}

// proves S135
test('a client secret is the application key of this project, sent once and from a server', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const other = await service.agent.createTenant()
  const app = new OpenIdApp(service, tenant, { hasSecret: false })
  const basic = (id: string, secret: string): Record<string, string> => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const login = await app.signInForCode(service.browser())
  const key = tenant.applicationKey

  for (const [fields, headers, status, error] of [
    [{ client_secret: tenant.key }, {}, 401, 'invalid_client'],
    [{ client_secret: other.applicationKey }, {}, 401, 'invalid_client'],
    [{ client_secret: `${key}x` }, {}, 401, 'invalid_client'],
    [{ client_id: undefined }, {}, 401, 'invalid_client'],
    [{}, basic(tenant.id, tenant.key), 401, 'invalid_client'],
    [{ client_id: other.id }, basic(tenant.id, key), 400, 'invalid_request'],
    [{ client_secret: key }, basic(tenant.id, key), 400, 'invalid_request'],
    [{}, basic('%', key), 400, 'invalid_request'],
    [{}, basic(tenant.id, '%zz'), 400, 'invalid_request'],
    [{}, { Authorization: 'Basic ***' }, 400, 'invalid_request'],
    [
      {},
      { Authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
      400,
      'invalid_request',
    ],
    [{ client_secret: key }, { Origin: 'http://localhost:3000' }, 401, 'invalid_client'],
    [{}, { ...basic(tenant.id, key), Origin: 'null' }, 401, 'invalid_client'],
  ] as const) {
    const response = await app.exchange(login, fields, headers)
    assertError(response, status, error)
    const isBasic = 'Authorization' in headers && error === 'invalid_client'
    assert.equal(response.headers.has('www-authenticate'), isBasic)
  }
  const inPage = await app.exchange(
    login,
    { client_secret: key },
    { Origin: 'http://localhost:3000' },
  )
  assert.match(inPage.json.error_description, /in a browser/)

  const exchanged = await app.exchange(login, { client_id: undefined }, basic(tenant.id, key))
  assert.equal(exchanged.status, 200, 'the refusals consumed nothing')
  const { refusals } = (await tenant.manage('GET', '/api/social-login/refusals')).json
  assert.deepEqual(refusals.map(({ step, differs }: Refused) => `${step} ${differs}`).sort(), [
    'exchange client_id',
    'exchange client_secret',
  ])
})

interface Refused {
  readonly step: string
  readonly differs: string
}

// proves S015, S138
test('a token is only what it was issued as: an ID token is no access token, and a forged hint ends nothing', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const other = new OpenIdApp(service, await service.agent.createTenant())
  const { tokens } = await app.signIn(service.browser())
  const foreign = await other.signIn(service.browser())
  await app.tenant.manage('PATCH', '/api/social-login/settings', {
    id_tokens: { audiences: [app.tenant.id] },
  })
  const es256 = (await app.tenant.edge('id-token', { access_token: tokens.access_token })).json
    .id_token

  for (const token of [tokens.id_token, tokens.refresh_token, es256, foreign.tokens.access_token]) {
    assertError(await app.userInfo(token), 401, 'invalid_token')
  }
  for (const token of [tokens.id_token, tokens.access_token, foreign.tokens.refresh_token]) {
    assertError(await app.refresh(token), 400, 'invalid_grant')
  }

  const [head = '', body = '', signature = ''] = tokens.id_token.split('.')
  const { keys } = (await app.read('jwks.json')).json
  const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  })
  const withHeader = (changes: object): string =>
    Buffer.from(JSON.stringify({ ...decodeProtectedHeader(tokens.id_token), ...changes })).toString(
      'base64url',
    )
  const hs256 = withHeader({ alg: 'HS256' })
  const hmac = createHmac('sha256', pem).update(`${hs256}.${body}`).digest('base64url')
  for (const hint of [
    tokens.access_token,
    foreign.tokens.id_token,
    es256,
    `${withHeader({ alg: 'none' })}.${body}.`,
    `${hs256}.${body}.${hmac}`,
    `${withHeader({ kid: keys[1].kid })}.${body}.${signature}`,
    `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    'x.y.z',
  ]) {
    const query = new URLSearchParams({ id_token_hint: hint })
    const response = await service.agent.call(
      'GET',
      `${new URL(app.issuer).pathname}/oauth/logout?${query}`,
    )
    assertError(response, 400, 'invalid_request')
  }
  assert.equal((await app.userInfo(tokens.access_token)).status, 200, 'the session goes on')
})

// proves S139
test('no request leads a browser to another site: authorization, logout, wildcards, ports and user names', async (t) => {
  const service = await world(t)
  const tenant: Tenant = await service.agent.createTenant([
    'https://app.example.com/cb',
    'https://*.preview.example.com/cb',
    'http://localhost/cb',
  ])
  const app = new OpenIdApp(service, tenant)
  const authorize = (redirectUri: string | undefined) =>
    service.browser().request(app.start({ redirect_uri: redirectUri }).url)
  const logOut = (uri: string) =>
    service
      .browser()
      .request(
        `${app.issuer}/oauth/logout?${new URLSearchParams({ post_logout_redirect_uri: uri })}`,
      )

  for (const uri of [
    undefined,
    'https://evil.example/cb',
    'https://app.example.com.evil.example/cb',
    'https://app.example.com/other',
    'https://a.b.preview.example.com/cb',
    'https://user@app.example.com/cb',
    'http://localhost.evil.example/cb',
    'javascript:alert(1)',
  ]) {
    const response = await authorize(uri)
    assert.deepEqual([response.status, response.headers.get('location')], [400, null], uri)
  }
  for (const uri of [
    'https://evil.example/',
    'https://app.example.com.evil.example/',
    'https://user@app.example.com/',
    'https://app.example.com:8443/',
    'http://app.example.com/',
    'http://localhost.evil.example/',
    '//evil.example',
    'javascript:alert(1)',
  ]) {
    const response = await logOut(uri)
    assert.deepEqual([response.status, response.headers.get('location')], [400, null], uri)
  }
  for (const uri of ['https://pr-7.preview.example.com/', 'http://localhost:5173/bye']) {
    assert.equal((await logOut(uri)).headers.get('location'), uri)
  }
})
