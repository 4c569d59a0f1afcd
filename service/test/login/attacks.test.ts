import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK } from '../support/actors/agent.ts'
import { Browser } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { browserInterceptedAt } from '../support/actors/intercepted-browser.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { overHttp } from '../support/transport/http-transport.ts'
import { world } from '../support/world.ts'

const PROVIDER_CALLBACK = '/auth/google/callback'

for (const engine of ENGINES) {
  // proves ASVS 10.1.2
  test(`[${engine}] an intercepted authorization code is rejected in another browser and still works in its own`, async (t) => {
    const service = await world(t, { through: 'port', engine })
    const tenant = await service.agent.createTenant()
    const { browser: userBrowser, interceptedUrl } = browserInterceptedAt(
      service,
      PROVIDER_CALLBACK,
    )
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    assert.ok(interceptedUrl().searchParams.has('code'), 'the code is unused')

    const withoutCookie = service.browser()
    const withOwnLogin = service.browser()
    service.clock.advance({ minutes: 1 })
    await withOwnLogin.open(tenant.loginUrl)
    for (const otherBrowser of [withoutCookie, withOwnLogin]) {
      await otherBrowser.open(interceptedUrl())
      assert.equal(otherBrowser.page.status, 403)
      assert.equal(otherBrowser.page.headers.get('location'), null)
      assert.match(otherBrowser.page.text, /another browser/)
      assert.doesNotMatch(otherBrowser.page.text, /ada@example\.com|svc_rt_|\beyJ[\w-]+\./)
    }
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])

    const cookie = await userBrowser.cookies.header({
      url: interceptedUrl(),
      method: 'GET',
      sameSite: true,
    })
    const sameBrowser = service.browser({ Cookie: cookie ?? '' })
    await sameBrowser.open(interceptedUrl())
    assert.match(
      sameBrowser.page.text,
      /ada@example\.com/,
      'the rejected requests did not consume the code',
    )
  })

  // proves S002
  test(`[${engine}] another browser with a login of its own cannot use the state or the consent page, and the original can still finish`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const otherBrowser = browser()
    await otherBrowser.open(tenant.loginUrl)
    await otherBrowser.press('Grace Hopper')
    const otherCsrf = csrfOf(otherBrowser)
    const userBrowser = browser()
    const started = await userBrowser.request(tenant.loginUrl)
    const google = new URL(started.headers.get('location') ?? '')
    const callback = new URL('/auth/google/callback', agent.baseUrl)
    callback.search = new URLSearchParams({
      code: 'x',
      state: google.searchParams.get('state') ?? '',
    }).toString()

    await otherBrowser.open(callback)
    assert.equal(otherBrowser.page.status, 403)
    assert.match(otherBrowser.page.text, /another browser/)

    await userBrowser.open(google)
    await userBrowser.press('Ada Lovelace')
    const consent = userBrowser.page.url
    await otherBrowser.open(consent)
    assert.equal(otherBrowser.page.status, 403)
    assert.doesNotMatch(otherBrowser.page.text, /ada@example\.com/)
    for (const csrf of [csrfOf(userBrowser), otherCsrf]) {
      const body = new URLSearchParams({ csrf, decision: 'allow' })
      const decided = await otherBrowser.request(consent, {
        method: 'POST',
        body,
        headers: { Accept: 'text/html' },
      })
      assert.deepEqual([decided.status, decided.headers.get('location')], [403, null])
    }
    await userBrowser.press('Continue')
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['ada@example.com'],
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started', 'authorize'])
  })

  test(`[${engine}] the provider callback works once, and repeating it does not disturb the login`, async (t) => {
    const { agent, baseUrl } = await world(t, { through: 'port', engine })
    const tenant = await agent.createTenant()
    const visited: URL[] = []
    const userBrowser = new Browser({
      origins: [baseUrl],
      transport: (url, init) => {
        visited.push(url)
        return overHttp(url, init)
      },
    })
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const callback = visited.find(({ pathname }) => pathname === '/auth/google/callback')
    assert.ok(callback)
    assert.ok(callback.searchParams.has('code'))

    const repeatCallback = async (): Promise<void> => {
      const response = await userBrowser.request(callback, { headers: { Accept: 'text/html' } })
      assert.deepEqual([response.status, response.headers.get('location')], [410, null])
    }
    await repeatCallback()
    const callbackUrl = await userBrowser.press('Continue')
    assert.ok(callbackUrl.searchParams.has('access_token'), 'the consent page still works')
    await repeatCallback()
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves S078
  test(`[${engine}] consent to one app is no consent to another that shares its client, and a link alone signs no one in (confused deputy)`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const [honest, other] = [
      await agent.createTenant(),
      await agent.createTenant(['https://evil.example.org/callback']),
    ]
    const user = browser()
    await honest.signIn(user)
    // The provider knows the user and the client, so it could skip its own page.
    await user.open(`${other.loginUrl}?prompt=auto`)
    const reached = await user.press('Ada Lovelace')
    assert.match(reached.pathname, /^\/auth\/consent\//)
    assert.match(
      user.page.text,
      /Sign in to <span class="host"><span dir="ltr">evil\.<b>example\.org<\/b>/,
    )
    assert.deepEqual(await other.users(), [])
    assert.deepEqual(await other.eventKinds(), ['login_started'])
    assert.equal((await user.press('Cancel')).search, '?error=access_denied')
    assert.deepEqual(await other.users(), [])
  })

  test(`[${engine}] users are identified by subject: a changed email address is the same user, another subject is not`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const signInAs = async (email: string, sub: string): Promise<void> => {
      clock.advance({ minutes: 1 })
      const userBrowser = browser()
      await userBrowser.open(tenant.loginUrl)
      await userBrowser.press('Continue', { email, name: 'Sample User', sub })
      await userBrowser.press('Continue')
    }
    await signInAs('old@example.com', 'subject-1')
    await signInAs('new@example.com', 'subject-1')
    await signInAs('new@example.com', 'subject-2')

    const users = await tenant.users()
    assert.deepEqual(
      users.map(({ email }) => email),
      ['new@example.com', 'new@example.com'],
    )
    assert.notEqual(users[0]?.id, users[1]?.id)
    assert.ok((users[0]?.last_seen ?? '') > (users[0]?.first_seen ?? ''))
  })

  // proves C063
  test(`[${engine}] a user who denies consent returns with error=access_denied and is not stored`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const callbackUrl = await userBrowser.press('Cancel')

    assert.equal(callbackUrl.href, `${CALLBACK}?error=access_denied`)
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
    const [, denied] = await tenant.events()
    assert.deepEqual(
      [denied?.user_id, denied?.email, denied?.metadata],
      [null, null, { by: 'user' }],
    )
  })
}

test('every login has its own state, nonce and PKCE challenge', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const sent: URLSearchParams[] = []
  const start = async (userBrowser: Browser): Promise<void> => {
    const { headers } = await userBrowser.request(tenant.loginUrl)
    sent.push(new URL(headers.get('location') ?? '').searchParams)
  }
  const [one, other] = [browser(), browser()]
  await start(one)
  await start(other)
  // A start within a minute would return the same login.
  clock.advance({ minutes: 2 })
  await start(one)
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = sent.map((query) => query.get(name) ?? '')
    assert.ok(
      values.every((value) => value.length >= 43),
      name,
    )
    assert.equal(new Set(values).size, 3, name)
  }
})

// proves ASVS 7.6.2
test('a consent decision without its CSRF token or from another site is rejected, and the login can continue', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const userBrowser = browser()
  await userBrowser.open(tenant.loginUrl)
  await userBrowser.press('Ada Lovelace')
  const consent = userBrowser.page.url
  const csrf = csrfOf(userBrowser)
  const decide = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    userBrowser.request(consent, { method: 'POST', body: new URLSearchParams(fields), headers })

  assert.equal((await decide({ decision: 'allow' })).status, 403)
  assert.equal((await decide({ decision: 'allow', csrf: `${csrf.slice(0, -1)}x` })).status, 403)
  assert.equal(
    (await decide({ decision: 'allow', csrf }, { Origin: 'https://evil.example' })).status,
    403,
  )
  assert.equal(
    (await decide({ decision: 'allow', csrf }, { 'Sec-Fetch-Site': 'cross-site' })).status,
    403,
  )
  assert.equal((await decide({ decision: 'perhaps', csrf })).status, 400)
  assert.deepEqual(await tenant.eventKinds(), ['login_started'])

  const callbackUrl = await userBrowser.press('Continue')
  assert.ok(callbackUrl.searchParams.has('access_token'))
})
