import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockHost } from '../../src/operations/tenants/blocked-hosts.ts'
import { suspendTenant } from '../../src/operations/tenants/suspension.ts'
import { OpenIdApp } from '../support/actors/openid-app.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const CHALLENGE = 'a'.repeat(43)

// proves C401
test('what a request gets wrong comes back in the redirect, with words, state and issuer, and starts no login', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const browser = service.browser()
  for (const [changes, error] of [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ response_mode: 'form_post' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://app.example.com/r' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ nonce: 'n'.repeat(2_049) }, 'invalid_request'],
    [{ nonce: 'ü' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ code_challenge_method: 'plain', code_challenge: CHALLENGE }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ provider: 'github' }, 'invalid_request'],
    [{ provider: 'nobody' }, 'invalid_request'],
  ] as const) {
    const { url, state } = app.start(changes)
    const answer = new URL((await browser.request(url)).headers.get('location') ?? '')
    const { error_description = '', ...others } = Object.fromEntries(answer.searchParams)
    assert.deepEqual(others, { error, state, iss: app.issuer }, JSON.stringify(changes))
    assert.match(error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    assert.equal(answer.origin + answer.pathname, app.redirectUri)
  }

  const twice = await browser.request(`${app.start().url}&nonce=another`)
  assert.match(twice.headers.get('location') ?? '', /error=invalid_request/)
  for (const state of ['ü', 's'.repeat(2_049)]) {
    const answer = await browser.request(app.start({ state }).url)
    const { searchParams } = new URL(answer.headers.get('location') ?? '')
    assert.deepEqual(
      [searchParams.get('error'), searchParams.get('state')],
      ['invalid_request', null],
    )
  }

  assert.deepEqual(await app.tenant.eventKinds(), [])
  const { refusals } = (await app.tenant.manage('GET', '/api/social-login/refusals')).json
  assert.deepEqual([...new Set(refusals.map(({ differs }: Refused) => differs))].sort(), [
    'openid',
    undefined,
  ])
})

interface Refused {
  readonly differs?: string
}

// proves C401
test('a wrong client is a page and no redirect, and the developer learns which parameter it is', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { id } = app.tenant
  for (const url of [
    app.start({ client_id: undefined }).url,
    app.start({ client_id: 'another' }).url,
    app.start({ client_id: `${id} ` }).url,
    `${app.start().url}&client_id=${id}`,
  ]) {
    const browser = service.browser()
    await browser.open(url)
    assert.equal(browser.page.status, 400)
    assert.match(browser.page.text, /<h1>/)
  }
  const { refusals } = (await app.tenant.manage('GET', '/api/social-login/refusals')).json
  assert.deepEqual(
    refusals.map(({ code, differs, count }: { code: string; differs: string; count: number }) => [
      code,
      differs,
      count,
    ]),
    [['invalidRequest', 'client_id', 4]],
  )
})

for (const engine of ENGINES) {
  // proves C402
  test(`[${engine}] state and nonce of 2,048 characters return unchanged, and what is unknown is ignored`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const state = ' !"#%&\'+,/:;<=>?@[\\]^`{|}~'.repeat(60)
    const nonce = 'n'.repeat(2_048)
    const { callback, claims } = await app.signIn(service.browser(), 'Ada Lovelace', {
      state,
      nonce,
      scope: 'openid email calendar',
      display: 'popup',
      acr_values: '1',
      claims: '{}',
      max_age: '60',
      something: 'else',
    })
    assert.equal(callback.searchParams.get('state'), state)
    assert.equal(claims.nonce, nonce)
  })

  // proves C402
  test(`[${engine}] two sign-ins of one browser keep their own state, and each code its own nonce`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const browser = service.browser()
    const [one, two] = [app.start(), app.start()]
    await browser.open(one.url)
    const firstTab = await browser.press('Ada Lovelace')
    await browser.open(two.url)
    const secondTab = await browser.press('Grace Hopper')

    for (const [consent, login] of [
      [secondTab, two],
      [firstTab, one],
    ] as const) {
      await browser.open(consent)
      const callback = await browser.press('Continue')
      assert.equal(callback.searchParams.get('state'), login.state)
      const code = callback.searchParams.get('code') ?? ''
      const { json } = await app.exchange({ code, verifier: login.verifier })
      assert.equal((await app.verify(json.id_token)).nonce, login.nonce)
    }
  })

  test(`[${engine}] callback_mode code refuses the login link, and takes an OpenID login with or without a challenge`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const mode = { callback_mode: 'code' }
    const changed = await tenant.manage('PATCH', '/api/social-login/settings', mode)
    assert.equal(changed.status, 200, changed.text)

    for (const pkce of [true, false]) {
      const app = new OpenIdApp(service, tenant, { pkce })
      const { claims } = await app.signIn(service.browser())
      assert.equal(claims.email, 'ada@example.com')
    }

    const browser = service.browser()
    await browser.open(tenant.loginUrl)
    assert.equal(browser.page.status, 400)
    assert.match(browser.page.text, /one-time code/)
  })

  test(`[${engine}] without openid it is plain OAuth, and a repeated start without its challenge is another login`, async (t) => {
    const service = await world(t, { engine })
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const login = await app.signInForCode(service.browser(), 'Ada Lovelace', { scope: 'email' })
    const { json } = await app.exchange(login)
    assert.deepEqual([json.id_token, json.scope], [undefined, 'email'])

    const browser = service.browser()
    service.clock.advance({ minutes: 1 })
    const started = app.start()
    await browser.open(started.url)
    const bare = new URL(started.url)
    bare.searchParams.delete('code_challenge')
    bare.searchParams.delete('code_challenge_method')
    await browser.open(bare)
    await browser.press('Ada Lovelace')
    const callback = await browser.press('Continue')
    const code = callback.searchParams.get('code') ?? ''
    const verifierAlone = await app.exchange(
      { code, verifier: started.verifier },
      { client_secret: undefined },
    )
    assert.equal(verifierAlone.json.error, 'invalid_grant')
    const keyAlone = await app.exchange({ code, verifier: '' }, { code_verifier: undefined })
    assert.equal(keyAlone.status, 200)
  })
}

test('a person who cancels returns to the app as access_denied, at the provider and on the consent page', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const browser = service.browser()
  const { url, state } = app.start()
  await browser.open(url)
  await browser.press('Ada Lovelace')
  const cancelled = await browser.press('Cancel')
  assert.deepEqual(Object.fromEntries(cancelled.searchParams), {
    error: 'access_denied',
    error_description: 'The person cancelled the sign-in.',
    state,
    iss: app.issuer,
  })
  assert.deepEqual(await app.tenant.eventKinds(), ['login_started', 'consent_denied'])
})

// proves C403
test('with several providers and none named the person chooses; a preview of either address starts nothing', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  await app.tenant.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' })
  const browser = service.browser()
  const login = app.start()
  for (const headers of [{ 'Sec-Purpose': 'prefetch' }, { 'User-Agent': 'Slackbot 1.0' }]) {
    assert.equal((await browser.request(login.url, { headers })).status, 503)
  }
  assert.equal((await browser.request(login.url, { method: 'HEAD' })).status, 204)

  await browser.open(login.url)
  assert.match(browser.page.text, /Continue with Google/)
  assert.deepEqual(await app.tenant.eventKinds(), [], 'the page of choices is no event')
  await browser.follow('Continue with GitHub')
  await browser.press('Ada Lovelace')
  const callback = await browser.press('Continue')
  assert.equal(callback.searchParams.get('state'), login.state)
  assert.deepEqual(await app.tenant.eventKinds(), ['login_started', 'authorize'])
})

test('by POST, as by GET', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const { url } = app.start()
  const [address = '', query = ''] = url.split('?')
  const posted = await service
    .browser()
    .request(address, { method: 'POST', body: new URLSearchParams(query) })
  assert.equal(posted.status, 303)
  assert.match(posted.headers.get('location') ?? '', /\/dev\/google\//)
})

// proves S142
test('a paused, suspended or expired project: sign-in shows why, tokens are not lost, discovery stays while it may return', async (t) => {
  const service = await world(t)
  const { ctx } = service.app
  const make = async () => {
    const app = new OpenIdApp(service, await service.agent.createTenant())
    const { tokens } = await app.signIn(service.browser())
    const login = await app.signInForCode(service.browser(), 'Grace Hopper')
    return { app, tokens, login }
  }
  const [paused, suspended, expired] = [await make(), await make(), await make()]
  await ctx.stores.tenants.pause(paused.app.tenant.id, 'lifetime_events', service.clock.now())
  await suspendTenant(ctx, suspended.app.tenant.id, 'test')

  for (const { app, tokens, login } of [paused, suspended]) {
    const browser = service.browser()
    await browser.open(app.start().url)
    assert.equal(browser.page.status, 403)
    for (const response of [
      await app.exchange(login),
      await app.refresh(tokens.refresh_token),
      await app.userInfo(tokens.access_token),
      await app.post('introspect', { token: tokens.access_token }),
    ]) {
      assert.deepEqual([response.status, response.json.error], [503, 'temporarily_unavailable'])
    }
    assert.equal((await app.read('openid-configuration')).status, 200)
    assert.equal((await app.read('jwks.json')).status, 200)
    assert.equal((await app.post('revoke', { token: tokens.refresh_token })).status, 200)
  }

  service.clock.advance({ hours: 73 })
  const { app, tokens, login } = expired
  assert.equal((await service.browser().request(app.start().url)).status, 410)
  for (const response of [await app.exchange(login), await app.refresh(tokens.refresh_token)]) {
    assert.deepEqual([response.status, response.json.error], [401, 'invalid_client'])
  }
  assert.equal((await app.read('openid-configuration')).json.error.code, 'tenantExpired')
})

test('what stops a sign-in before it starts returns to the app: a limit, an invitation, a provider out of reach', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  const errorOf = async (changes = {}): Promise<string | null> => {
    const response = await service.browser().request(app.start(changes).url)
    return new URL(response.headers.get('location') ?? '').searchParams.get('error')
  }
  assert.equal(await errorOf({ invitation: 'svc_in_unknown' }), 'access_denied')

  const { ctx } = service.app
  const google = ctx.providers.shared('google')
  assert.ok(google !== null)
  const broken = t.mock.method(google, 'authorizeUrl', async () => {
    throw new Error('connect ECONNREFUSED')
  })
  assert.equal(await errorOf(), 'temporarily_unavailable')
  broken.mock.restore()
  assert.ok(service.logLines.some((line) => line.includes('out of reach')))
  assert.deepEqual(await app.tenant.eventKinds(), [])

  for (let starts = 0; starts < 3; starts++) {
    assert.equal(await errorOf(), null)
  }
  assert.equal(await errorOf(), 'temporarily_unavailable')
  assert.deepEqual(await app.tenant.eventKinds(), Array(3).fill('login_started'))
})

// proves C401
test('an unregistered redirect URI is among the refused sign-ins, and prompt=none is not', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  await service.browser().request(app.start({ redirect_uri: 'https://wrong.example/cb' }).url)
  await service.browser().request(app.start({ prompt: 'none' }).url)
  const { refusals } = (await app.tenant.manage('GET', '/api/social-login/refusals')).json
  assert.deepEqual(
    refusals.map(({ code, sent }: { code: string; sent: string }) => [code, sent]),
    [['invalidRedirectUri', 'https://wrong.example/cb']],
  )
})

// proves S139
test('a logout of another client or of a suspended project leads nowhere, and one to a blocked host is refused', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(
    service,
    await service.agent.createTenant(['https://app.example.com/cb']),
    {
      redirectUri: 'https://app.example.com/cb',
    },
  )
  const { ctx } = service.app
  const logOut = (query: Readonly<Record<string, string>>) =>
    service.browser().request(`${app.issuer}/oauth/logout?${new URLSearchParams(query)}`)
  const back = { post_logout_redirect_uri: 'https://app.example.com/' }
  assert.equal((await logOut({ ...back, client_id: 'another' })).status, 400)
  assert.equal((await logOut(back)).status, 303)
  assert.equal(
    (await logOut({ post_logout_redirect_uri: 'https://:pw@app.example.com/' })).status,
    400,
  )

  await blockHost(ctx, 'app.example.com', 'Phishing.')
  const blocked = await logOut(back)
  assert.deepEqual([blocked.status, blocked.headers.get('location')], [400, null])
  await suspendTenant(ctx, app.tenant.id, 'Phishing.')
  const suspended = await logOut(back)
  assert.deepEqual([suspended.status, suspended.headers.get('location')], [200, null])
})

test('a provider that fails is server_error with its reason, and never an error that only we know', async (t) => {
  const service = await world(t)
  const app = new OpenIdApp(service, await service.agent.createTenant())
  for (const failure of ['Token exchange fails', 'Userinfo fails']) {
    service.clock.advance({ minutes: 1 })
    const browser = service.browser()
    const { url, state } = app.start()
    await browser.open(url)
    const returned = await browser.press(failure)
    assert.equal(returned.searchParams.get('error'), 'server_error')
    assert.equal(returned.searchParams.get('state'), state)
    assert.ok((returned.searchParams.get('error_description') ?? '').length > 10)
  }
  const kinds = ['login_started', 'login_failed']
  assert.deepEqual(await app.tenant.eventKinds(), [...kinds, ...kinds])
})
