import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STARTS_PER_MINUTE_PER_ADDRESS, USER_IDENTITIES_MAX } from '@gatehouse-auth/contract'
import { minuteStart } from '../../src/domain/limits/counter.ts'
import { LOGIN_START_LIMIT } from '../../src/operations/limits/limit-requests.ts'
import { addLinkedIdentity } from '../../src/operations/login/link.ts'
import type { CallOptions } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { type Browser, shownError } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { pressAtProvider, putProvider } from '../support/actors/providers.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { googleProfile, raw, startedAttempt, withConnection } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { type World, world } from '../support/world.ts'

const USERS = '/api/social-login/users'

/** Ada has signed in with Google, in her browser, to an app that also offers GitHub. */
async function scene(service: World) {
  const { agent, browser, baseUrl, clock } = service
  const tenant = await agent.createTenant()
  await putProvider(tenant, 'github', { mode: 'shared' })
  const ada = browser()
  const pair = await tenant.signIn(ada)
  const ask = (access_token = pair.access_token, provider = 'github') =>
    tenant.edge('link', { access_token, provider })
  const link = async (access_token?: string): Promise<string> => {
    clock.advance({ minutes: 1 })
    const { json } = await ask(access_token)
    assert.equal(json.expires_in, 300)
    return json.link_url
  }
  /** Opens a link, and chooses this account at GitHub. */
  const choose = async (person: Browser, url: string, account = 'Grace Hopper') => {
    await person.open(url)
    await pressAtProvider(person, account)
  }
  const identities = async (id = 1): Promise<string[]> =>
    (await tenant.manage('GET', `${USERS}/${id}?include=identities`)).json.user.identities.map(
      ({ provider, email }: { provider: string; email: string }) => `${provider} ${email}`,
    )
  const signInWithGithub = async (person = browser()) => {
    clock.advance({ minutes: 1 })
    await person.open(`${baseUrl}/edge/auth/${tenant.id}/github`)
    await pressAtProvider(person, 'Grace Hopper')
    const { access_token = '' } = Object.fromEntries((await person.press('Continue')).searchParams)
    return (await tenant.edge('verify', { access_token })).json.user.id
  }
  return { tenant, ada, pair, ask, link, choose, identities, signInWithGithub }
}

/** The page that a browser shows: its status and title. */
const shown = ({ page }: Browser): string => `${page.status} ${/<h1>([^<]*)/.exec(page.text)?.[1]}`

const JSON_ONLY = { headers: { Accept: 'application/json' } }
/** The code that a program gets instead of the page. */
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code

const OVER = '410 This link no longer works'
const OTHER_BROWSER = '403 Sign in to the app first'
const REFUSED = '409 This account can’t be added'
const ONE = ['google ada@example.com']

for (const engine of ENGINES) {
  // proves C197
  test(`[${engine}] a user adds a GitHub account on a page that names both, the callback gets linked=github and no tokens, and either account signs in as that user`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, pair, link, choose, identities, signInWithGithub } = await scene(service)
    // A user needs no invitation to add an account.
    await tenant.manage('PATCH', '/api/social-login/settings', { admission: 'invited' })
    const events = await tenant.eventKinds()
    await choose(ada, await link())
    const text = textOf(ada.page.text)
    assert.match(
      text,
      /Add this GitHub account\?.*app\.example\.com.*ada@example\.com.*grace@example\.com/s,
    )
    assert.deepEqual(await identities(), ONE, 'not before the decision')
    const { page } = ada
    const callback = await ada.press('Add account')
    assert.equal(callback.href, 'https://app.example.com/callback?linked=github')
    const body = new URLSearchParams({ csrf: csrfOf({ page }), decision: 'allow' })
    const again = await ada.request(page.url, { method: 'POST', body })
    assert.equal(again.headers.get('location'), callback.href, 'a second press')
    assert.deepEqual(await identities(), ['google ada@example.com', 'github grace@example.com'])
    assert.equal(await tenant.isValid(pair.access_token), true)
    assert.deepEqual(await tenant.eventKinds(), events, 'a link is no event')
    const [action] = (await tenant.manage('GET', '/api/audit')).json.actions.slice(-1)
    assert.deepEqual(
      [action.actor, action.action, action.target],
      ['person', 'user.identity_added', 'user:1'],
    )
    assert.equal(await signInWithGithub(), 1)
    assert.equal((await tenant.users()).length, 1)
  })

  // proves C198, S101
  test(`[${engine}] a sign-in after an opened link of the same browser signs in and adds nothing, and a link after a started sign-in adds the identity`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, pair, link, choose, identities } = await scene(service)
    const addPage = /Add this GitHub account/
    // Within a minute: a start of the same browser at the same provider, with the same callback and no return_to.
    const startedSignIn = `${service.baseUrl}/edge/auth/${tenant.id}/github`
    await ada.open(await link())
    await ada.open(startedSignIn)
    await pressAtProvider(ada, 'Alan Turing')
    assert.doesNotMatch(ada.page.text, addPage)
    const callback = await ada.press('Continue')
    assert.ok(callback.searchParams.has('access_token'), callback.search)
    assert.deepEqual(await identities(), ONE)
    const events = ['login_started', 'authorize', 'login_started', 'authorize']
    assert.deepEqual(await tenant.eventKinds(), events)

    const url = await link()
    await ada.open(startedSignIn)
    await choose(ada, url)
    assert.match(ada.page.text, addPage)
    await ada.press('Add account')
    assert.deepEqual(await identities(), ['google ada@example.com', 'github grace@example.com'])
    assert.deepEqual(await tenant.eventKinds(), [...events, 'login_started'])
    assert.equal(await tenant.isValid(pair.access_token), true)
  })

  // proves C198
  test(`[${engine}] a user who logs out after opening a link can sign in at once with the same provider`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, pair, ask, identities } = await scene(service)
    service.clock.advance({ minutes: 1 })
    const { json } = await ask(pair.access_token, 'google')
    await ada.open(json.link_url)
    await tenant.edge('logout', { refresh_token: pair.refresh_token })
    const { access_token } = await tenant.signIn(ada)
    assert.equal(await tenant.isValid(access_token), true)
    assert.deepEqual(await identities(), ONE)
  })

  // proves C199
  test(`[${engine}] Cancel, a denial and a failure at the provider go back with the error of a sign-in, and add nothing`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, link, choose, identities } = await scene(service)
    const events = await tenant.eventKinds()
    await choose(ada, await link())
    assert.equal((await ada.press('Cancel')).search, '?error=access_denied')
    await ada.open(await link())
    assert.equal((await ada.press('Cancel')).search, '?error=access_denied')
    ada.cookies.keep(new URL(service.baseUrl), [
      'gatehouse_dev_person=grace@example.com|userinfo; Path=/',
    ])
    assert.equal((await ada.open(await link())).search, '?error=login_failed')
    assert.deepEqual([await identities(), await tenant.eventKinds()], [ONE, events])
  })

  // proves C203, S097
  test(`[${engine}] forced linking: a link that another browser opens adds nothing, and works in the browser of its user`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, link, choose, identities, signInWithGithub } = await scene(service)
    const victim = service.browser()
    assert.equal(await signInWithGithub(victim), 2)
    const url = await link()
    for (const other of [victim, service.browser()]) {
      await other.open(url)
      assert.equal(shown(other), OTHER_BROWSER)
      assert.equal(await codeOf(await other.request(url, JSON_ONLY)), 'linkOtherBrowser')
      assert.doesNotMatch(other.page.text, /ada@example\.com/, 'the page does not name the account')
    }
    assert.deepEqual([await identities(), await identities(2)], [ONE, ['github grace@example.com']])
    await choose(ada, url, 'Alan Turing')
    await ada.press('Add account')
    assert.deepEqual(await identities(), ['google ada@example.com', 'github alan@example.com'])
    assert.equal((await tenant.users()).length, 2)
  })

  // proves S098
  test(`[${engine}] session fixation: a stolen access token adds nothing from another browser, also after a sign-in of its thief there`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, pair, link, identities } = await scene(service)
    const thief = service.browser()
    await tenant.signIn(thief, 'Grace Hopper')
    await thief.open(await link(pair.access_token))
    assert.equal(shown(thief), OTHER_BROWSER)
    assert.deepEqual(await identities(), ONE)
  })

  // proves S099
  test(`[${engine}] the decision needs the browser that opened the link and the form of our page`, async (t) => {
    const service = await world(t, { engine })
    const { ada, link, choose, identities } = await scene(service)
    await choose(ada, await link())
    const url = ada.page.url.href
    const body = new URLSearchParams({ csrf: 'forged', decision: 'allow' })
    const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' }
    assert.equal((await ada.request(url, { method: 'POST', headers, body })).status, 403)
    const csrf = /name="csrf" value="([^"]+)"/.exec(ada.page.text)?.[1] ?? ''
    const real = new URLSearchParams({ csrf, decision: 'allow' })
    const crossSite = { ...headers, 'Sec-Fetch-Site': 'cross-site' }
    assert.equal(
      (await ada.request(url, { method: 'POST', headers: crossSite, body: real })).status,
      403,
    )
    assert.equal(
      (await service.browser().request(url, { method: 'POST', headers, body: real })).status,
      403,
    )
    const other = new URLSearchParams({ csrf, decision: 'other' })
    assert.equal(
      (await ada.request(url, { method: 'POST', headers, body: other })).status,
      403,
      'no second account',
    )
    assert.deepEqual(await identities(), ONE)
    await ada.press('Add account')
    assert.equal((await identities()).length, 2)
  })

  // proves S100
  test(`[${engine}] provider confusion: the response of another provider, or of another sign-in, adds nothing`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ada, link, identities } = await scene(service)
    const started = await ada.request(await link(), { headers: { Accept: 'text/html' } })
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    for (const path of ['google', 'microsoft']) {
      await ada.open(`${service.baseUrl}/auth/${path}/callback?code=x&state=${state}`)
      assert.equal(ada.page.status, 403)
    }
    const google = await ada.request(tenant.loginUrl)
    const other = new URL(google.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await ada.open(`${service.baseUrl}/auth/github/callback?code=x&state=${other}`)
    assert.equal(ada.page.status, 403)
    assert.deepEqual(await identities(), ONE)
  })

  // proves S102
  test(`[${engine}] a link works once: not after its use, not after five minutes, not altered, and one of two concurrent decisions counts`, async (t) => {
    const service = await world(t, { engine })
    const { ada, link, choose, identities, tenant } = await scene(service)
    const url = await link()
    await choose(ada, url)
    await ada.press('Add account')
    for (const wrong of [
      url,
      url.replace(/\.[^.]*$/, `.${'A'.repeat(43)}`),
      `${service.baseUrl}/auth/link/x`,
    ]) {
      await ada.open(wrong)
      assert.equal(shown(ada), OVER)
      assert.equal(await codeOf(await ada.request(wrong, JSON_ONLY)), 'linkOver')
    }
    const late = await link()
    service.clock.advance({ minutes: 5 })
    await ada.open(late)
    assert.equal(shown(ada), OVER)
    assert.match(ada.page.text, /href="https:\/\/app\.example\.com\/"/, 'the way back')
    assert.equal((await identities()).length, 2)

    // The same account, by two links that are decided at once.
    await tenant.manage('DELETE', `${USERS}/1/identities/github`)
    const { access_token } = await tenant.signIn(ada)
    const pages = []
    for (const link_url of [await link(access_token), await link(access_token)]) {
      await choose(ada, link_url)
      const csrf = /name="csrf" value="([^"]+)"/.exec(ada.page.text)?.[1] ?? ''
      pages.push({ url: ada.page.url.href, body: new URLSearchParams({ csrf, decision: 'allow' }) })
    }
    const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' }
    const responses = await Promise.all(
      pages.map(({ url: page, body }) => ada.request(page, { method: 'POST', headers, body })),
    )
    const [refused] = responses.filter(({ status }) => status === 409)
    assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 409])
    assert.equal(refused && (await codeOf(refused)), 'linkRefused')
    assert.equal((await identities()).length, 2)
  })

  // proves S103
  test(`[${engine}] an account that already signs in as a user, also as the same one, is refused with 409`, async (t) => {
    const service = await world(t, { engine })
    const { ada, link, choose, identities, signInWithGithub } = await scene(service)
    assert.equal(await signInWithGithub(), 2)
    await choose(ada, await link())
    assert.equal(shown(ada), REFUSED)
    await choose(ada, await link(), 'Alan Turing')
    await ada.press('Add account')
    await choose(ada, await link(), 'Alan Turing')
    assert.equal(shown(ada), REFUSED)
    assert.deepEqual(await identities(), ['google ada@example.com', 'github alan@example.com'])
  })

  for (const [what, change] of [
    ['a logout', (tenant, pair) => tenant.edge('logout', { refresh_token: pair.refresh_token })],
    ['a block', (tenant) => tenant.manage('POST', `${USERS}/1/block`)],
    ['the end of the sessions', (tenant) => tenant.manage('DELETE', `${USERS}/1/sessions`)],
  ] as readonly [string, (tenant: Scene['tenant'], pair: Scene['pair']) => Promise<unknown>][]) {
    // proves S104
    test(`[${engine}] after ${what} neither a link nor an open consent page adds an identity`, async (t) => {
      const { tenant, ada, pair, ask, link, choose, identities } = await scene(
        await world(t, { engine }),
      )
      const unopened = await link()
      await choose(ada, await link())
      const { text, url } = ada.page
      await change(tenant, pair)
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
      const body = new URLSearchParams({ csrf, decision: 'allow' })
      const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' }
      const refused = await ada.request(url.href, { method: 'POST', headers, body })
      assert.equal((await shownError(ada, refused)).status, 410)
      await ada.open(unopened)
      assert.equal(shown(ada), OVER)
      assertApiError(await ask(), 'invalidAccessToken')
      assert.deepEqual(await identities(), ONE)
    })
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

// proves S105
test('a link is refused for a token of another tenant, an unknown or disabled provider, and an unregistered callback', async (t) => {
  const service = await world(t)
  const { tenant, pair, ask } = await scene(service)
  const other = await service.agent.createTenant(['https://*.example.com/cb'])
  const foreign = await other.signIn(
    service.browser(),
    'Ada Lovelace',
    '?redirect_uri=https://a.example.com/cb',
  )
  assertApiError(await ask(foreign.access_token), 'invalidAccessToken')
  assertApiError(await ask('garbage'), 'invalidAccessToken')
  assertApiError(await ask(pair.access_token, 'microsoft'), 'providerNotEnabled')
  assertApiError(await ask(pair.access_token, 'facebook'), 'invalidRequest')
  const { access_token } = pair
  const redirect_uri = 'https://evil.example.net/cb'
  assertApiError(
    await tenant.edge('link', { access_token, provider: 'github', redirect_uri }),
    'invalidRedirectUri',
  )
  assertApiError(
    await other.edge('link', { access_token: foreign.access_token, provider: 'google' }),
    'redirectUriRequired',
  )
})

// proves C202
test('a program that previews a link does not use it, and the same browser may open it again until it has chosen an account', async (t) => {
  const service = await world(t)
  const { ada, link, choose, identities } = await scene(service)
  const url = await link()
  assert.equal((await ada.request(url, { method: 'HEAD' })).status, 204)
  assert.equal((await ada.request(url, { headers: { 'Sec-Purpose': 'prefetch' } })).status, 503)
  await ada.open(url)
  await choose(ada, url)
  await ada.open(url)
  assert.equal(shown(ada), OVER)
  assert.deepEqual(await identities(), ONE)
})

test('a link of an unknown, unprovisioned, paused or expired tenant, or by an unreadable body, is refused with the reason', async (t) => {
  const service = await world(t)
  const { agent, app, clock } = service
  const { tenant, pair } = await scene(service)
  const body = { access_token: pair.access_token, provider: 'github' }
  const ask = (options: CallOptions, id = tenant.id) =>
    agent.call('POST', `/edge/auth/${id}/link`, options)
  assertApiError(await ask({ body }, 'no-such-tenant'), 'tenantNotFound')
  assertApiError(await (await agent.createTenant(null)).edge('link', body), 'notProvisioned')
  const text = JSON.stringify(body)
  assertApiError(
    await ask({ body: text, headers: { 'Content-Type': 'text/plain' } }),
    'unsupportedMediaType',
  )
  assertApiError(
    await ask({ body: { ...body, redirect_uri: 'x'.repeat(300_000) } }),
    'bodyTooLarge',
  )
  await app.ctx.stores.tenants.pause(tenant.id, 'stored_users', clock.now())
  assertApiError(await ask({ body }), 'tenantPaused')
  clock.advance({ hours: 72 })
  assertApiError(await ask({ body }), 'tenantExpired')
})

// proves S106
test('a link adds nothing if the tenant was paused or its callback or social login removed since, or if it is opened too often from an address', async (t) => {
  const service = await world(t)
  const { ctx } = service.app
  const { tenant, ada, link } = await scene(service)
  const codeAfter = async (change: () => Promise<unknown>): Promise<string> => {
    const url = await link()
    await change()
    return codeOf(await ada.request(url, JSON_ONLY))
  }
  const source = `${LOGIN_START_LIMIT.scope}:${ctx.keyring.hash('source', '127.0.0.1')}` as const
  const limited = await codeAfter(() => {
    const counter = { scope: source, window: 'minute', start: minuteStart(ctx.now()) } as const
    return ctx.stores.transaction(({ counters }) =>
      counters.spend(counter, STARTS_PER_MINUTE_PER_ADDRESS, null),
    )
  })
  assert.equal(limited, 'rateLimited')
  assert.equal(
    await codeAfter(() => tenant.provision(['https://app.example.org/cb'])),
    'invalidRedirectUri',
  )
  assert.equal(
    await codeAfter(() => tenant.manage('DELETE', '/api/resources/social-login')),
    'linkOver',
  )
  const paused = await scene(service)
  const url = await paused.link()
  await ctx.stores.tenants.pause(paused.tenant.id, 'stored_users', ctx.now())
  assert.equal(await codeOf(await paused.ada.request(url, JSON_ONLY)), 'tenantPaused')
})

// proves S107
test('a link works in no browser for a user who has signed in without one, and in one browser only if the user changes to another', async (t) => {
  const service = await world(t)
  const { tenant, ada, link, choose, identities } = await scene(service)
  const url = await link()
  await ada.open(url)
  const second = service.browser()
  await tenant.signIn(second)
  assert.equal(
    await codeOf(await second.request(url, JSON_ONLY)),
    'linkOver',
    'the first browser has begun',
  )
  assert.equal(await codeOf(await ada.request(url, JSON_ONLY)), 'linkOtherBrowser')
  await choose(second, await link())
  await second.press('Add account')
  assert.equal((await identities()).length, 2)
  const created = await tenant.manage('POST', '/api/social-login/test-sessions', {
    email: 'alan@example.com',
  })
  const unbound = await link(created.json.access_token)
  assert.equal(await codeOf(await second.request(unbound, JSON_ONLY)), 'linkOtherBrowser')
})

// proves S108
test('a link and its consent page end with the session and after ten minutes', async (t) => {
  const service = await world(t)
  const { clock, browser } = service
  const { tenant, ada, pair, link, choose, identities } = await scene(service)
  await claim(tenant, browser())
  await choose(ada, await link())
  clock.advance({ minutes: 10 })
  await ada.press('Add account')
  assert.equal(ada.page.status, 410)
  const sessionEnds = clock.now() + 365 * 24 * 3_600_000 - 11 * 60_000
  let { refresh_token } = pair
  let access_token = ''
  for (const day of [...Array.from({ length: 12 }, (_, at) => 29 * (at + 1)), 365]) {
    clock.advance({ ms: sessionEnds - (365 - day) * 24 * 3_600_000 - 3 * 60_000 - clock.now() })
    ;({ refresh_token, access_token } = (await tenant.edge('refresh', { refresh_token })).json)
  }
  const url = await link(access_token)
  clock.advance({ ms: sessionEnds - clock.now() })
  assert.equal(await codeOf(await ada.request(url, JSON_ONLY)), 'linkOver')
  assert.deepEqual(await identities(), ONE)
})

test(`an added identity is sent as user.updated, and a user with ${USER_IDENTITIES_MAX} gets no other`, {
  skip: slow,
}, async (t) => {
  const service = await world(t)
  const { tenant, ada, link, choose, identities } = await scene(service)
  await claim(tenant, service.browser())
  for (let id = 2; id < USER_IDENTITIES_MAX; id++) {
    await tenant.manage('POST', '/api/social-login/test-sessions', {
      email: `u${id}@example.com`,
      subject: `s${id}`,
    })
    await tenant.manage('POST', `${USERS}/1/merge`, { from: id })
  }
  const { access_token } = await tenant.signIn(ada)
  const hook = await receiver(t)
  await addWebhook(tenant, hook.url, ['user.updated'])
  await choose(ada, await link(access_token))
  await ada.press('Add account')
  await service.app.deliver()
  assert.deepEqual(
    hook.received.map(({ body }) => [body.data.user.id, body.data.user.identities.length]),
    [[1, USER_IDENTITIES_MAX]],
  )
  await choose(ada, await link(access_token), 'Alan Turing')
  await ada.press('Add account')
  assert.equal(shown(ada), REFUSED)
  assert.equal((await identities()).length, USER_IDENTITIES_MAX)
})

test('[postgres] a decision waits for a block that is not committed yet, and then adds nothing', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { ada, link, choose, identities } = await scene(service)
  await choose(ada, await link())
  const csrf = /name="csrf" value="([^"]+)"/.exec(ada.page.text)?.[1] ?? ''
  const body = new URLSearchParams({ csrf, decision: 'allow' })
  const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' }
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const decided = await withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query('update users set blocked_at = 1')
    const decision = ada.request(ada.page.url.href, { method: 'POST', headers, body })
    await waitUntil(
      'the decision waits',
      async () => (await raw(databaseOf(service), waiting)).length === 1,
    )
    await query('commit')
    return decision
  })
  assert.equal(await codeOf(decided), 'linkOver')
  assert.deepEqual(await identities(), ONE)
})

test('[postgres] of two links that are decided at once, only as many add an identity as the account has room for', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { tenant, pair } = await scene(service)
  const { ctx } = service.app
  const resource = (await ctx.stores.resources.findActive(tenant.id)) ?? assert.fail()
  const one = (name: string) => ({ ...googleProfile(name), lastSeen: ctx.now() })
  for (let n = 1; n < USER_IDENTITIES_MAX - 1; n++) {
    await ctx.stores.identities.add(resource, 1, one(`identity-${n}`))
  }
  const { sid: linkSessionId } = JSON.parse(
    Buffer.from(pair.access_token.split('.')[1] ?? '', 'base64url').toString(),
  )
  const add = (name: string) =>
    ctx.stores.transaction((stores) => {
      const attempt = startedAttempt(tenant.id, { linkSessionId })
      return addLinkedIdentity(
        { ...ctx, stores },
        { ...attempt, profile: googleProfile(name) },
        'request',
      )
    })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const added = await withConnection(databaseOf(service), async (query) => {
    await query('begin')
    await query('select 1 from users for update')
    const both = Promise.allSettled([add('first'), add('second')])
    await waitUntil('both wait', async () => (await raw(databaseOf(service), waiting)).length === 2)
    await query('commit')
    return both
  })
  assert.deepEqual(added.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const user = await ctx.stores.users.findRecord(resource, 1)
  assert.equal(user?.identities.length, USER_IDENTITIES_MAX)
})
