import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { chargesFor } from '../../src/domain/limits/allowance.ts'
import { mePaths } from '../../src/http/me/paths.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { openMe, pressOnMe, shownApp } from '../support/actors/me.ts'
import { putProvider } from '../support/actors/providers.ts'
import { squarePng } from '../support/png.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { type World, world } from '../support/world.ts'

const SETTINGS = '/api/social-login/settings'
const APP = 'https://app.example.com/callback'
const OTHER = 'https://other.example.com/callback'

interface Scene extends World {
  readonly tenant: Tenant
  /** Has pressed Continue once. */
  readonly ada: Browser
  /** A login, up to the first page or URL after the chooser. */
  login(browser: Browser, options?: Login): Promise<'asked' | 'skipped'>
  verifyDomain(): Promise<void>
}

interface Login {
  readonly tenant?: Tenant
  readonly query?: string
  readonly user?: string
  readonly provider?: string
  readonly flow?: 'code' | 'tokens'
}

/** An owned tenant that remembers consent, and a browser in which Ada has allowed it. */
async function scene(t: TestContext, engine: Engine): Promise<Scene> {
  const { records, network } = testDns()
  const here = await world(t, { engine, network })
  const tenant = await here.agent.createTenant([APP, OTHER])
  await claim(tenant, here.browser(), 'Grace Hopper')
  assert.equal(
    (await tenant.manage('PATCH', SETTINGS, { remember_consent: true })).json.remember_consent,
    true,
  )
  const login: Scene['login'] = async (browser, options = {}) => {
    const { query = '', user = 'Ada Lovelace', provider = 'google', flow = 'code' } = options
    here.clock.advance({ minutes: 1 })
    const start = `${here.baseUrl}/edge/auth/${(options.tenant ?? tenant).id}/${provider}`
    const challenge = flow === 'code' ? codeQuery(newVerifier()) : '?'
    await browser.open(`${start}${challenge}${query}`)
    const reached = await browser.press(user)
    if (reached.searchParams.has('code')) {
      return 'skipped'
    }
    assert.match(reached.pathname, /^\/auth\/consent\//, reached.href)
    return 'asked'
  }
  const ada = here.browser()
  assert.equal(await login(ada), 'asked')
  assert.match(ada.page.text, /doesn’t ask you again for 30 days/)
  await ada.press('Continue')
  return {
    ...here,
    tenant,
    ada,
    login,
    async verifyDomain() {
      const { dns } = (await tenant.manage('POST', '/api/domains', { host: 'example.com' })).json
        .domain
      records.set(dns.name, [[dns.value]])
      await tenant.manage('POST', '/api/domains/example.com/check')
    },
  }
}

for (const engine of ENGINES) {
  // proves C226
  test(`[${engine}] with remember_consent, a second login skips the consent page, records the same events, and its code works`, async (t) => {
    const { tenant, ada, clock } = await scene(t, engine)
    const [started, authorized] = await tenant.events()
    clock.advance({ minutes: 1 })
    const verifier = newVerifier()
    await ada.open(`${tenant.loginUrl}${codeQuery(verifier)}&return_to=/notes`)
    const landed = await ada.press('Ada Lovelace')
    assert.equal(landed.origin + landed.pathname, APP)
    assert.deepEqual([...landed.searchParams.keys()], ['code', 'return_to'])
    const { status, json } = await exchange(tenant, {
      code: landed.searchParams.get('code') ?? '',
      verifier,
    })
    assert.equal(status, 200)
    assert.equal(await tenant.isValid(json.access_token), true)

    const [, , again, skipped, ...more] = await tenant.events()
    const shape = (event: typeof again) => ({ ...event, id: 0, created_at_ms: 0, return_to: null })
    const { new_user: _, ...metadata } = authorized?.metadata ?? {}
    assert.deepEqual(shape(again), shape(started))
    assert.deepEqual(shape(skipped), { ...shape(authorized), metadata })
    assert.deepEqual(more, [])
    const start = await ada.request(tenant.loginUrl, { headers: { Accept: 'text/html' } })
    const month = 30 * 86_400 + 600
    assert.match(
      start.headers.get('set-cookie') ?? '',
      new RegExp(`^gatehouse_browser=[\\w-]+; Max-Age=${month};`),
    )
  })

  // proves C227, S018
  test(`[${engine}] without the setting, every login shows the consent page and nothing is stored about it`, async (t) => {
    const service = await scene(t, engine)
    const { tenant, ada, login } = service
    assert.equal(await login(ada), 'skipped')
    await tenant.manage('PATCH', SETTINGS, { remember_consent: false })
    assert.equal(await login(ada), 'asked')
    assert.doesNotMatch(ada.page.text, /ask you again|name="shown"/)
    const before = (await everyRow(service)).consents
    await ada.press('Continue')
    assert.deepEqual((await everyRow(service)).consents, before)
  })

  // proves C228, S128
  test(`[${engine}] a guest cannot set remember_consent, and its users are asked even if it were set`, async (t) => {
    const service = await scene(t, engine)
    const { agent, app, browser, login } = service
    const guest = await agent.createTenant([APP])
    assertApiError(
      await guest.manage('PATCH', SETTINGS, { remember_consent: true }),
      'ownerRequired',
    )
    assert.equal((await guest.manage('GET', SETTINGS)).json.remember_consent, false)
    assert.equal((await guest.manage('PATCH', SETTINGS, { remember_consent: false })).status, 200)

    await app.ctx.stores.resources.changeSettings(
      guest.id,
      { rememberConsent: true },
      app.ctx.now(),
    )
    const before = (await everyRow(service)).consents
    const person = browser()
    assert.equal(await login(person, { tenant: guest }), 'asked')
    assert.doesNotMatch(person.page.text, /ask you again/)
    await person.press('Continue')
    assert.deepEqual((await everyRow(service)).consents, before)
    assert.equal(await login(person, { tenant: guest }), 'asked')
  })

  // proves C229, S128
  test(`[${engine}] a login with tokens, without a chooser, of another user, host, provider or browser shows the consent page`, {
    skip: slow,
  }, async (t) => {
    const { tenant, ada, login, browser } = await scene(t, engine)
    await putProvider(tenant, 'github', { mode: 'shared' })
    // A user already, so that only the consent of this browser is missing.
    const elsewhere = browser()
    await login(elsewhere, { user: 'Grace Hopper' })
    await elsewhere.press('Continue')
    const cases: [string, Login, Browser?][] = [
      ['tokens in the URL', { flow: 'tokens' }],
      ['prompt=auto', { query: '&prompt=auto' }],
      ['a login_hint', { query: '&login_hint=ada@example.com' }],
      ['another user', { user: 'Grace Hopper' }],
      ['another host', { query: `&redirect_uri=${encodeURIComponent(OTHER)}` }],
      ['another provider', { provider: 'github' }],
      ['another browser', {}, browser()],
    ]
    for (const [what, options, person = ada] of cases) {
      assert.equal(await login(person, options), 'asked', what)
      assert.equal(await login(ada), 'skipped', `after ${what}`)
    }
  })

  // proves C229, S129
  test(`[${engine}] a start with prompt=auto that repeats one with a chooser shows the consent page`, async (t) => {
    const { tenant, ada, clock } = await scene(t, engine)
    clock.advance({ minutes: 1 })
    const start = tenant.loginUrl + codeQuery(newVerifier())
    await ada.request(start, { headers: { Accept: 'text/html' } })
    await ada.open(`${start}&prompt=auto`)
    assert.match((await ada.press('Ada Lovelace')).pathname, /^\/auth\/consent\//)
    assert.equal(
      (await tenant.eventKinds()).filter((kind) => kind === 'login_started').length,
      2,
      'one login',
    )
  })

  // proves C231, S132
  test(`[${engine}] a consent counts for 30 days from the press of Continue, however often it was used`, async (t) => {
    const service = await scene(t, engine)
    const { ada, login, clock, app } = service
    const pressedAt = clock.now()
    clock.advance({ days: 20 })
    assert.equal(await login(ada), 'skipped')
    clock.advance({ ms: pressedAt + 30 * 86_400_000 - clock.now() - 60_000 })
    assert.equal(await login(ada), 'skipped', 'to the last moment')
    assert.equal(await login(ada), 'asked', 'a minute later')
    await app.sweep()
    assert.deepEqual((await everyRow(service)).consents, [])
    await ada.press('Continue')
    assert.equal(await login(ada), 'skipped')
  })

  // proves C232, S131
  test(`[${engine}] a change of the name, logo, a link, the verified domain or the owner shows the consent page once more`, {
    skip: slow,
  }, async (t) => {
    const service = await scene(t, engine)
    const { tenant, agent, ada, login, verifyDomain, browser } = service
    const brand = { name: 'Example Notes', privacy_url: 'https://example.com/privacy' }
    const put = async (changes: Record<string, string>): Promise<void> => {
      const response = await tenant.manage('PUT', '/api/social-login/brand', {
        ...brand,
        ...changes,
      })
      assert.equal(response.status, 200, response.text)
    }
    const changes: [string, () => Promise<unknown>][] = [
      ['verified domain', verifyDomain],
      ['first name', () => put({})],
      ['another name', () => put({ name: 'Example Papers' })],
      ['a link', () => put({ name: 'Example Papers', privacy_url: 'https://example.com/private' })],
      [
        'logo',
        () =>
          agent.call('PUT', '/api/social-login/brand/logo', {
            key: tenant.key,
            body: squarePng(64),
            headers: { 'Content-Type': 'image/png' },
          }),
      ],
      ['no brand', () => tenant.manage('DELETE', '/api/social-login/brand')],
      ['no verified domain', () => tenant.manage('DELETE', '/api/domains/example.com')],
      [
        'another owner',
        async () => {
          await claim(await agent.createTenant(), browser(), 'Ada Lovelace')
          const [{ id }] = (await raw(
            databaseOf(service),
            "select id from accounts where email = 'ada@example.com'",
          )) as [{ id: number }]
          await raw(
            databaseOf(service),
            `update tenants set owner_account_id = ${id} where id = '${tenant.id}'`,
          )
        },
      ],
    ]
    for (const [what, change] of changes) {
      await change()
      assert.equal(await login(ada), 'asked', what)
      await ada.press('Continue')
      assert.equal(await login(ada), 'skipped', `after ${what}`)
    }
  })

  // proves C232, S131
  test(`[${engine}] what the person saw is remembered: a name that changes while the page is open is asked about again`, {
    skip: slow,
  }, async (t) => {
    const { tenant, ada, login, verifyDomain } = await scene(t, engine)
    await verifyDomain()
    assert.equal(await login(ada), 'asked')
    await tenant.manage('PUT', '/api/social-login/brand', { name: 'Example Notes' })
    await ada.press('Continue')
    assert.equal(await login(ada), 'asked')
  })

  // proves C235, S132
  test(`[${engine}] a person forgets the consent of an app on /me and is asked again; the button is only where there is one`, async (t) => {
    const service = await scene(t, engine)
    const { tenant, agent, ada, login, baseUrl, browser, clock } = service
    const plain = await agent.createTenant(['https://plain.example.com/cb'])
    await plain.signIn(browser())
    const grace = browser()
    await login(grace, { user: 'Grace Hopper' })
    await grace.press('Continue')
    const me = await openMe(browser(), baseUrl)
    assert.match(shownApp(me, tenant.id) ?? '', /Forget consent/)
    assert.doesNotMatch(shownApp(me, plain.id) ?? 'Forget', /Forget/)
    assert.equal(await pressOnMe(me, mePaths.forgetConsent, tenant.id), '/me?done=forgotten')
    assert.doesNotMatch(shownApp(me, tenant.id) ?? 'Forget', /Forget/)
    assert.equal(await login(ada), 'asked')
    assert.equal(
      await login(grace, { user: 'Grace Hopper' }),
      'skipped',
      'another person keeps theirs',
    )
    await pressOnMe(me, mePaths.forgetConsent, tenant.id)
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    const forgotten = actions.filter(
      ({ action }: { action: string }) => action === 'user.consent_forgotten',
    )
    assert.deepEqual(
      forgotten.map(({ actor, target }: { actor: string; target: string }) => [actor, target]),
      [['person', 'user:1']],
      'a repeated press records nothing',
    )
    clock.advance({ days: 31 })
    const late = await openMe(browser(), baseUrl, 'Grace Hopper')
    assert.doesNotMatch(
      shownApp(late, tenant.id) ?? 'Forget',
      /Forget/,
      'one that no longer counts is not shown',
    )
  })

  // proves C235, S026
  test(`[${engine}] consents are deleted with the user, the social login and the tenant`, {
    skip: slow,
  }, async (t) => {
    const service = await scene(t, engine)
    const { tenant, ada, login } = service
    const count = async () => (await everyRow(service)).consents?.length
    assert.equal(await count(), 1)
    await tenant.manage('DELETE', '/api/social-login/users/1')
    assert.equal(await count(), 0)
    assert.equal(await login(ada), 'asked', 'a new user is asked')
    await ada.press('Continue')
    assert.equal(await count(), 1)
    await tenant.manage('DELETE', '/api/resources/social-login')
    assert.equal(await count(), 0)
  })

  // proves C234
  test(`[${engine}] of two concurrent callbacks of a remembered login, one reaches the app and is recorded once`, async (t) => {
    const { tenant, ada, clock, baseUrl } = await scene(t, engine)
    clock.advance({ minutes: 1 })
    await ada.open(tenant.loginUrl + codeQuery(newVerifier()))
    // The chooser's answer, up to our callback.
    const callback = await callbackOf(ada, baseUrl)
    const answers = await Promise.all(
      [1, 2].map(() =>
        ada.request(callback, { headers: { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' } }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410])
    const events = await tenant.eventKinds()
    assert.deepEqual(events, ['login_started', 'authorize', 'login_started', 'authorize'])
  })

  // proves C234
  test(`[${engine}] at the limit of the minute, a remembered login shows the page, and Continue works a minute later`, async (t) => {
    const { tenant, ada, clock, app, login } = await scene(t, engine)
    clock.advance({ minutes: 1 })
    await ada.open(tenant.loginUrl + codeQuery(newVerifier()))
    const found = await app.ctx.stores.tenants.find(tenant.id)
    assert.ok(found)
    await app.ctx.stores.eventCounts.add(chargesFor(found, 'authorize', clock.now(), true), 30)
    assert.match((await ada.press('Ada Lovelace')).pathname, /^\/auth\/consent\//)
    clock.advance({ minutes: 1 })
    assert.equal((await ada.press('Continue')).searchParams.has('code'), true)
    assert.equal(await login(ada), 'skipped')
  })
}

// proves C230, S130
test('a wildcard, a local or an http callback is never remembered', {
  skip: slow,
}, async (t) => {
  const service = await scene(t, 'sqlite')
  const { tenant, browser, login } = service
  const callbacks = [
    'https://*.example.com/callback',
    'https://localhost/cb',
    'http://localhost/cb',
  ]
  await tenant.manage('POST', '/api/resources/social-login', { callback_urls: callbacks })
  const before = (await everyRow(service)).consents
  for (const redirect of [
    'https://app.example.com/callback',
    'https://localhost/cb',
    'http://localhost:4000/cb',
  ]) {
    const person = browser()
    for (const time of ['first', 'second']) {
      const query = `&redirect_uri=${encodeURIComponent(redirect)}`
      assert.equal(await login(person, { query }), 'asked', `${redirect}, the ${time} time`)
      assert.doesNotMatch(person.page.text, /ask you again/)
      await person.press('Continue')
    }
  }
  assert.deepEqual((await everyRow(service)).consents, before)
  await tenant.manage('POST', '/api/resources/social-login', { callback_urls: [APP] })
  assert.equal(await login(service.ada), 'skipped', 'the exact callback still is')
  await tenant.manage('POST', '/api/resources/social-login', { callback_urls: callbacks })
  assert.equal(await login(service.ada), 'asked', 'not when only a wildcard covers it')
})

test('a remembered login shows the page while the database is out of reach, and Continue works later', async (t) => {
  const { tenant, ada, app, login, clock } = await scene(t, 'sqlite')
  const away = t.mock.method(app.ctx.stores, 'transaction')
  clock.advance({ minutes: 1 })
  await ada.open(tenant.loginUrl + codeQuery(newVerifier()))
  away.mock.mockImplementation(() => Promise.reject(new Unavailable('away')))
  assert.match((await ada.press('Ada Lovelace')).pathname, /^\/auth\/consent\//)
  away.mock.restore()
  assert.equal((await ada.press('Continue')).searchParams.has('code'), true)
  assert.equal(await login(ada), 'skipped')
})

test('a start that is repeated with the chooser skips the page, and one that finds its login gone on starts another', async (t) => {
  const { tenant, ada, clock, app } = await scene(t, 'sqlite')
  clock.advance({ minutes: 1 })
  const start = tenant.loginUrl + codeQuery(newVerifier())
  const headers = { Accept: 'text/html' }
  const stateOf = async (url: string) =>
    (await ada.request(url, { headers })).headers.get('location')
  await stateOf(start)
  await ada.open(start)
  assert.equal((await ada.press('Ada Lovelace')).searchParams.has('code'), true)

  clock.advance({ minutes: 1 })
  const first = await stateOf(start)
  // The provider has redirected back between the two statements.
  t.mock.method(app.ctx.stores.attempts, 'startWithoutChooser', async () => false)
  const second = await stateOf(`${start}&prompt=auto`)
  const attemptIn = (location: string | null) =>
    new URL(location ?? '').searchParams.get('state')?.split('.')[0]
  assert.notEqual(attemptIn(second), attemptIn(first))
})

test('a form that was changed to name no page that was shown stores no consent', async (t) => {
  const service = await scene(t, 'sqlite')
  const { browser, login } = service
  const person = browser()
  const stored = async () => (await everyRow(service)).consents?.length
  const before = await stored()
  for (const shown of ['x', '']) {
    assert.equal(await login(person), 'asked')
    assert.equal((await person.press('Continue', { shown })).searchParams.has('code'), true)
    assert.equal(await stored(), before)
  }
})

test('Continue is not remembered if the owner switched that off while the page was open', async (t) => {
  const { tenant, browser, login } = await scene(t, 'sqlite')
  const person = browser()
  assert.equal(await login(person), 'asked')
  await tenant.manage('PATCH', SETTINGS, { remember_consent: false })
  assert.equal((await person.press('Continue')).searchParams.has('code'), true)
  await tenant.manage('PATCH', SETTINGS, { remember_consent: true })
  assert.equal(await login(person), 'asked')
})

/** Presses Ada on the open chooser and follows the redirects up to the provider callback, without opening it. */
async function callbackOf(browser: Browser, baseUrl: string): Promise<URL> {
  const { page } = browser
  const headers = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin', Origin: baseUrl }
  const id = /name="person" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  let response = await browser.request(page.url, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ person: id }),
  })
  for (;;) {
    const location = new URL(
      response.headers.get('location') ?? assert.fail(await response.text()),
      page.url,
    )
    if (location.pathname === '/auth/google/callback') {
      return location
    }
    response = await browser.request(location, { headers: { Accept: 'text/html' } })
  }
}
