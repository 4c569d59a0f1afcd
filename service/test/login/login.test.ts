import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK } from '../support/actors/agent.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C004, C018, C064, C134
  test(`[${engine}] a user who consents reaches the callback with valid tokens and is stored`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()

    const userBrowser = browser()
    await userBrowser.open(`${tenant.loginUrl}?return_to=${encodeURIComponent('/notes?id=7#top')}`)
    await userBrowser.press('Ada Lovelace')
    assert.equal(userBrowser.page.url.origin, baseUrl)
    assert.match(userBrowser.page.text, /Sign in to/)
    assert.match(userBrowser.page.text, /app\.example\.com/)
    assert.deepEqual(await tenant.users(), [], 'no user is stored before consent')

    const callbackUrl = await userBrowser.press('Continue')
    assert.equal(callbackUrl.origin + callbackUrl.pathname, CALLBACK)
    assert.deepEqual(
      [...callbackUrl.searchParams.keys()],
      ['access_token', 'refresh_token', 'return_to'],
    )
    assert.equal(callbackUrl.searchParams.get('return_to'), '/notes?id=7#top')

    const verified = await tenant.edge('verify', {
      access_token: callbackUrl.searchParams.get('access_token'),
    })
    const [user] = await tenant.users()
    assert.ok(user)
    assert.equal(user.email, 'ada@example.com')
    assert.deepEqual(verified.json, {
      valid: true,
      user: { id: user.id, email: user.email, name: user.name, picture: user.picture },
    })
    assert.deepEqual((await tenant.manage('GET', `/api/social-login/users/${user.id}`)).json, {
      user,
    })
    const events = await tenant.events()
    assert.deepEqual(
      events.map(({ event, user_id, email, redirect_uri, return_to, metadata }) => ({
        event,
        user_id,
        email,
        redirect_uri,
        return_to,
        metadata,
      })),
      [
        {
          event: 'login_started',
          user_id: null,
          email: null,
          redirect_uri: CALLBACK,
          return_to: '/notes?id=7#top',
          metadata: {},
        },
        {
          event: 'authorize',
          user_id: user.id,
          email: 'ada@example.com',
          redirect_uri: CALLBACK,
          return_to: '/notes?id=7#top',
          metadata: { new_user: true },
        },
      ],
    )
  })

  // proves C135
  test(`[${engine}] a user who cancels at Google returns with error=access_denied`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    const callbackUrl = await userBrowser.press('Cancel')

    assert.equal(callbackUrl.href, `${CALLBACK}?error=access_denied`)
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { by: 'provider' })
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  })

  for (const [button, stage, errorCode] of [
    ['Token exchange fails', 'token_exchange', /^[a-z_]+$/],
    ['Userinfo fails', 'userinfo', /^[a-z_]+$/],
    ['Email not verified', 'userinfo', /^email_unverified$/],
  ] as const) {
    // proves C020, C148
    test(`[${engine}] when "${button}", the callback gets error=login_failed and the event records ${stage}`, async (t) => {
      const { agent, browser } = await world(t, { engine })
      const tenant = await agent.createTenant()
      const userBrowser = browser()
      await userBrowser.open(`${tenant.loginUrl}?return_to=/a`)
      const callbackUrl = await userBrowser.press(button)

      assert.equal(callbackUrl.href, `${CALLBACK}?error=login_failed&return_to=%2Fa`)
      assert.deepEqual(await tenant.users(), [])
      assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_failed'])
      const { metadata } = (await tenant.events()).at(-1) ?? {}
      assert.equal(metadata?.stage, stage)
      assert.match(String(metadata?.error_code), errorCode)
    })
  }

  // proves C136
  test(`[${engine}] a user who cannot be stored fails at user_upsert after consent`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('User can’t be stored')
    const callbackUrl = await userBrowser.press('Continue')

    assert.equal(callbackUrl.href, `${CALLBACK}?error=login_failed`)
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, {
      stage: 'user_upsert',
      error_code: 'subject_too_long',
    })
  })

  for (const [place, before, button] of [
    ['at the provider', [], 'Ada Lovelace'],
    ['at the provider, where the user cancels', [], 'Cancel'],
    ['at the consent page', ['Ada Lovelace'], 'Continue'],
    [
      'at the consent page, where the user wants another account',
      ['Ada Lovelace'],
      'Use another account',
    ],
  ] as const) {
    test(`[${engine}] a login expires after ten minutes ${place}, and for an hour its page leads back to the app`, async (t) => {
      const { agent, app, browser, clock } = await world(t, { engine })
      const tenant = await agent.createTenant()
      const backToApp = /href="https:\/\/app\.example\.com\/">Go to/
      for (const [late, leadsBack] of [
        [{ minutes: 10, seconds: 1 }, true],
        [{ minutes: 70, seconds: -1 }, true],
        [{ minutes: 70 }, false],
      ] as const) {
        const userBrowser = browser()
        await userBrowser.open(tenant.loginUrl)
        for (const each of before) {
          await userBrowser.press(each)
        }
        clock.advance(late)
        await app.sweep()
        await userBrowser.press(button)
        assert.equal(userBrowser.page.status, 410)
        assert.equal(backToApp.test(userBrowser.page.text), leadsBack, userBrowser.page.text)
      }
      assert.deepEqual(await tenant.users(), [])
      assert.deepEqual(await tenant.eventKinds(), Array(3).fill('login_started'))
    })
  }

  // proves C047
  test(`[${engine}] a callback URL that is removed during a login receives no tokens`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    await tenant.provision(['https://other.example.com/callback'])
    await userBrowser.press('Continue')
    assert.equal(userBrowser.page.status, 400)
    assert.equal(userBrowser.page.headers.get('location'), null)
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] a prefetch, a HEAD request and a repeated start record no event`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    const headers = { 'Sec-Purpose': 'prefetch;prerender' }
    assert.equal(
      (await userBrowser.request(tenant.loginUrl, { headers })).headers.get('location'),
      null,
    )
    assert.equal(
      (await userBrowser.request(tenant.loginUrl, { method: 'HEAD' })).headers.get('location'),
      null,
    )
    assert.deepEqual(await tenant.eventKinds(), [])

    const first = await userBrowser.request(tenant.loginUrl)
    clock.advance({ seconds: 59 })
    const second = await userBrowser.request(tenant.loginUrl)
    assert.equal(second.headers.get('location'), first.headers.get('location'))
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
    await userBrowser.request(`${tenant.loginUrl}?return_to=/elsewhere`)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
  })

  test(`[${engine}] the same start that a browser sends three times at once is one event and one login`, async (t) => {
    const { agent, browser, app, clock } = await world(t, {
      engine,
      env: { DEV_UNLIMITED: '1' },
    })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    const started = async (query: string): Promise<string | null> => {
      const { headers } = await userBrowser.request(tenant.loginUrl + query)
      return new URL(headers.get('location') ?? '').searchParams.get('state')
    }
    const { identity } = app.ctx
    const authorizeUrl = identity.authorizeUrl.bind(identity)
    await started('?return_to=/before')
    t.mock.method(app.ctx, 'now', () => {
      clock.advance({ ms: 1 })
      return clock.now()
    })
    const startedAtOnce = async (queries: readonly string[]): Promise<Set<string | null>> => {
      const redirects = t.mock.method(
        identity,
        'authorizeUrl',
        holdUntil(queries.length, authorizeUrl),
      )
      const states = await Promise.all(queries.map(started))
      redirects.mock.restore()
      return new Set(states)
    }
    assert.equal((await startedAtOnce(Array(3).fill('?return_to=/notes'))).size, 1)
    assert.equal((await tenant.eventKinds()).length, 2)
    // Another page to return to is another login; without the chooser, it is another one that is no event.
    const others = ['/a', '/b', '/b&prompt=auto'].map((query) => `?return_to=${query}`)
    assert.equal((await startedAtOnce(others)).size, 3)
    assert.deepEqual(await tenant.eventKinds(), Array(4).fill('login_started'))
  })

  test(`[${engine}] a start that waits for the provider while the same one reaches the consent page is no event, and both can be finished`, async (t) => {
    const { agent, browser, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.request(`${tenant.loginUrl}?return_to=/before`)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { identity } = app.ctx
    const authorizeUrl = identity.authorizeUrl.bind(identity)
    const held = t.mock.method(identity, 'authorizeUrl', (async (request) => {
      await released
      return authorizeUrl(request)
    }) as typeof authorizeUrl)
    const late = userBrowser.request(tenant.loginUrl)
    await waitUntil('the start waits for the provider', () => held.mock.callCount() === 1)
    held.mock.restore()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const { url: consentPage } = userBrowser.page
    release()
    const { headers } = await late
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
    await userBrowser.open(headers.get('location') ?? '')
    await userBrowser.press('Ada Lovelace')
    assert.notEqual(userBrowser.page.url.href, consentPage.href)
    assert.ok((await userBrowser.press('Continue')).searchParams.has('access_token'))
    await userBrowser.open(consentPage)
    assert.ok((await userBrowser.press('Continue')).searchParams.has('access_token'))
  })

  // proves C062
  test(`[${engine}] a start that is repeated at the consent page is no event until the login is decided, and both pages work`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const { url: firstPage } = userBrowser.page
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    assert.notEqual(userBrowser.page.url.href, firstPage.href)
    assert.ok((await userBrowser.press('Continue')).searchParams.has('access_token'))
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])

    await userBrowser.open(firstPage)
    assert.ok((await userBrowser.press('Continue')).searchParams.has('access_token'))
    await userBrowser.open(tenant.loginUrl)
    assert.equal(
      (await tenant.eventKinds()).filter((kind) => kind === 'login_started').length,
      2,
      'after the decision',
    )
    clock.advance({ minutes: 1, ms: 1 })
    await userBrowser.open(tenant.loginUrl)
    assert.equal(
      (await tenant.eventKinds()).filter((kind) => kind === 'login_started').length,
      3,
      'a minute later',
    )
  })
}

test('a program that previews or indexes the login link spends no event, and a browser still does', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  for (const bot of [
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'WhatsApp/2.23.20.0 A',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  ]) {
    const response = await browser({ 'User-Agent': bot }).request(tenant.loginUrl)
    assert.equal(response.headers.get('location'), null, bot)
  }
  assert.deepEqual(await tenant.eventKinds(), [])
  // An Android phone of the maker Cubot, and the in-app browser of an app: both are users.
  for (const user of [
    'Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS;FBAV/440.0.0]',
  ]) {
    const response = await browser({ 'User-Agent': user }).request(tenant.loginUrl)
    assert.equal(response.status, 302, user)
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
})

test('a link checker gets success for a project that exists only', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  const check = (id: string) => agent.call('HEAD', `/edge/auth/${id}/google`)
  assert.deepEqual(
    [(await check(tenant.id)).status, (await check('swift-fox-running-k3qd7')).status],
    [204, 404],
  )
})

test('the log names every request of a login by its route', async (t) => {
  const { agent, browser, logLines } = await world(t)
  const tenant = await agent.createTenant()
  const user = browser()
  await tenant.signIn(user)
  const page = { headers: { Accept: 'text/html' } }
  for (const path of [
    `/edge/auth/${tenant.id}/github`,
    `/auth/oidc-acme/callback/${tenant.id}`,
    '/auth/link/x',
  ]) {
    await user.request(path, page)
  }
  await user.request('/auth/apple/callback', {
    method: 'POST',
    body: new URLSearchParams({ state: 'x' }),
  })
  await agent.call('OPTIONS', `/edge/auth/${tenant.id}/verify`)
  const logged = logLines
    .map((line) => JSON.parse(line))
    .map(({ method, route }) => `${method} ${route}`)
  const routes = [
    'GET /edge/auth/:tenantId/google',
    'GET /auth/:provider/callback',
    'GET /auth/consent/:attemptId',
    'POST /auth/consent/:attemptId',
    'GET /edge/auth/:tenantId/:provider',
    'GET /auth/:provider/callback/:tenantId',
    'GET /auth/link/:token',
    'POST /auth/:provider/callback',
    'OPTIONS /edge/auth/:tenantId/:act{token|verify|refresh|logout|id-token|link|providers}',
  ]
  assert.deepEqual(
    routes.filter((route) => !logged.includes(route)),
    [],
    [...new Set(logged)].join('\n'),
  )
})

/** Calls `then` for all callers when there are so many: none of them is ahead of the others. */
function holdUntil<Args extends unknown[], Result>(
  count: number,
  then: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let callers = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  return async (...args) => {
    callers += 1
    if (callers === count) {
      resolve()
    }
    await promise
    return then(...args)
  }
}
