import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

/** Opens the login link without cookies. */
const start = ({ agent }: World, tenant: Tenant, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  agent.call('GET', `/edge/auth/${tenant.id}/google`, { headers })

const count = (kinds: readonly string[], kind: string): number => kinds.filter((each) => each === kind).length

for (const engine of ENGINES) {
  test(`[${engine}] unauthenticated events cannot use the share of a guest's limit that is left for signed-in users`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    let pair = await tenant.signIn(service.browser())
    for (let login = 0; login < 11; login++) pair = await tenant.signIn(service.browser())
    for (let opened = 0; opened < 80; opened++) {
      if (opened % 5 === 0) service.clock.advance({ minutes: 1 })
      await start(service, tenant)
    }
    assert.equal((await tenant.status()).usage.events_lifetime.used, 80)
    service.clock.advance({ minutes: 1 })
    await tenant.refresh(pair.refresh_token)
    assert.equal((await tenant.status()).status, 'ephemeral')
  })

  test(`[${engine}] a guest's hundred events allow fifty complete logins, and the next start gets 429`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    for (let login = 0; login < 50; login++) await tenant.signIn(service.browser())
    service.clock.advance({ minutes: 1 })
    assert.equal(assertApiError(await start(service, tenant), 'rateLimited').window, 'lifetime')
    const { status, usage } = await tenant.status()
    assert.deepEqual([status, usage.events_lifetime.used], ['ephemeral', 100])
    assert.equal((await tenant.eventKinds()).length, 100)
  })

  test(`[${engine}] opening the login link 100 times uses at most four fifths of a guest's events`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const [tenant, empty] = [await service.agent.createTenant(), await service.agent.createTenant()]
    const pair = await tenant.signIn(service.browser())
    const codes = new Map<string, number>()
    for (let opened = 0; opened < 100; opened++) {
      if (opened % 5 === 0) service.clock.advance({ minutes: 1 })
      for (const each of [tenant, empty]) {
        const response = await start(service, each)
        if (response.status === 302) continue
        const { window, limit } = assertApiError(response, 'rateLimited')
        const name = `${each === tenant ? 'used' : 'empty'} ${window} ${limit}`
        codes.set(name, (codes.get(name) ?? 0) + 1)
      }
    }
    assert.deepEqual(Object.fromEntries(codes), { 'used lifetime 80': 22, 'empty lifetime 80': 20 })
    assert.deepEqual(await empty.eventKinds(), Array(80).fill('login_started'))

    const { status, usage, next_limit } = await tenant.status()
    assert.deepEqual([status, usage.events_lifetime], ['ephemeral', { used: 80, limit: 100 }])
    assert.deepEqual(next_limit, {
      allowance: 'events_lifetime',
      used: 80,
      limit: 100,
      left: 20,
      warning: 'events lifetime: 80 of 100 used, 20 left.',
    })
    assert.equal(await tenant.isValid(pair.access_token), true)
    await tenant.refresh(pair.refresh_token)
    const kinds = await tenant.eventKinds()
    assert.deepEqual([count(kinds, 'login_started'), kinds.at(-1), kinds.length], [79, 'token_refreshed', 81])
  })

  test(`[${engine}] a refresh after a guest's hundredth event pauses it, and then only status and deletion work`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const other = await tenant.signIn(service.browser(), 'Grace Hopper')
    let { refresh_token, access_token } = await tenant.signIn(service.browser())
    for (let used = 4; used < 100; used++) {
      if (used % 5 === 0) service.clock.advance({ minutes: 1 })
      ;({ refresh_token, access_token } = await tenant.refresh(refresh_token))
    }
    // Logout works at the limit, without an event and without pausing the tenant.
    assert.equal((await tenant.edge('logout', { refresh_token: other.refresh_token })).status, 200)
    await tenant.assertRefreshRejected(other.refresh_token, 'invalidRefreshToken')
    const kinds = await tenant.eventKinds()
    assert.deepEqual([kinds.length, count(kinds, 'logout'), (await tenant.status()).status], [100, 0, 'ephemeral'])
    assertApiError(await start(service, tenant), 'rateLimited')
    assert.equal((await tenant.status()).status, 'ephemeral', 'an unauthenticated request does not pause the tenant')

    service.clock.advance({ minutes: 1 })
    const { token } = (await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)).json
    const reason = { pause_reason: 'lifetime_events' }
    assert.deepEqual(assertApiError(await tenant.edge('refresh', { refresh_token }), 'tenantPaused'), reason)
    const { status, pause_reason, usage, next_limit } = await tenant.status()
    assert.deepEqual([status, pause_reason], ['paused', 'lifetime_events'])
    assert.deepEqual([usage.events_lifetime.used, next_limit?.left], [100, 0])
    for (const response of [
      await tenant.edge('refresh', { refresh_token }),
      await tenant.edge('verify', { access_token }),
      await tenant.edge('verify', { access_token: 'garbage' }),
      await tenant.edge('logout', { refresh_token }),
      await start(service, tenant),
      await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
      await service.agent.call('GET', '/edge/session', { key: token }),
      await tenant.manage('GET', '/api/resources'),
      await tenant.manage('POST', '/api/resources/social-login', { callback_url: 'https://b.example.com/cb' }),
      await tenant.manage('POST', '/api/resources', {
        resources: ['social-login'],
        configurations: { 'social-login': { callback_url: 'https://b.example.com/cb' } },
      }),
      await tenant.manage('GET', '/api/social-login/users'),
      await tenant.manage('GET', '/api/social-login/users/1'),
      await tenant.manage('GET', '/api/social-login/events'),
    ]) {
      assert.deepEqual(assertApiError(response, 'tenantPaused'), reason)
    }

    const deleted = await tenant.manage('DELETE', '/api/resources/social-login')
    assert.deepEqual(deleted.json, { success: true, resource: 'social-login', status: 'deleted' })
    const after = await tenant.status()
    assert.deepEqual([after.status, after.resources, after.usage.events_lifetime.used], ['paused', [], 100])
    service.clock.advance({ hours: 72 })
    assert.equal((await tenant.status()).status, 'expired', 'a paused guest expires too')
  })

  test(`[${engine}] at the per-minute limit the consent page asks the user to retry, and the same button works a minute later`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const [userBrowser, cancelling] = [service.browser(), service.browser()]
    for (const each of [userBrowser, cancelling]) {
      await each.open(tenant.loginUrl)
      await each.press(each === userBrowser ? 'Ada Lovelace' : 'Grace Hopper')
    }
    for (let others = 0; others < 3; others++) await start(service, tenant)
    service.clock.advance({ seconds: 20 })
    for (let pressed = 0; pressed < 2; pressed++) {
      await userBrowser.press('Continue')
      const { status, headers, text } = userBrowser.page
      assert.deepEqual(
        ['retry-after', 'ratelimit-policy', 'ratelimit', 'location'].map((name) => headers.get(name)),
        ['40', '"minute";q=5;w=60', '"minute";r=0;t=40', null],
      )
      assert.equal(status, 429)
      assert.match(text, /Press Continue again in 40 seconds/)
    }
    assert.deepEqual(await tenant.users(), [])
    assert.equal(
      (await cancelling.press('Cancel')).searchParams.get('error'),
      'access_denied',
      'Cancel works at the limit',
    )
    assert.deepEqual(await tenant.eventKinds(), Array(5).fill('login_started'))

    service.clock.advance({ seconds: 40 })
    const callbackUrl = await userBrowser.press('Continue')
    assert.equal(await tenant.isValid(callbackUrl.searchParams.get('access_token') ?? ''), true)
    assert.deepEqual(await tenant.eventKinds(), [...Array(5).fill('login_started'), 'authorize'])
    assert.equal((await tenant.status()).usage.events_lifetime.used, 6)
  })

  test(`[${engine}] at the per-minute limit a refresh gets 429 without consuming its token, and logout still works`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const [stays, goes] = [
      await tenant.signIn(service.browser()),
      await tenant.signIn(service.browser(), 'Grace Hopper'),
    ]
    service.clock.advance({ minutes: 1 })
    for (let others = 0; others < 5; others++) await start(service, tenant)
    const rejected = await tenant.edge('refresh', { refresh_token: stays.refresh_token })
    assert.deepEqual(assertApiError(rejected, 'rateLimited'), { window: 'minute', limit: 5, left: 0 })
    assert.equal(await tenant.isValid(stays.access_token), true)

    const left = await tenant.edge('logout', { refresh_token: goes.refresh_token })
    assert.deepEqual([left.status, left.json], [200, { success: true }])
    assert.equal(await tenant.isValid(goes.access_token), false)
    assert.equal(count(await tenant.eventKinds(), 'logout'), 0, 'logout at the limit records no event')
    service.clock.advance({ minutes: 1 })
    const next = await tenant.refresh(stays.refresh_token)
    assert.equal(await tenant.isValid(next.access_token), true)
    assert.deepEqual((await tenant.eventKinds()).slice(-2), ['login_started', 'token_refreshed'])
  })

  test(`[${engine}] status reports usage and warns from four fifths of any limit`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const nothing = await tenant.status()
    assert.deepEqual(nothing.usage, {
      stored_users: { used: 0, limit: 1_000 },
      events_this_minute: { used: 0, limit: 5 },
      events_this_month: { used: 0, limit: null },
      events_lifetime: { used: 0, limit: 100 },
    })
    assert.equal(nothing.next_limit?.warning, null)
    const pair = await tenant.signIn(service.browser())
    await tenant.refresh(pair.refresh_token)
    const three = await tenant.status()
    assert.deepEqual(three.next_limit, { allowance: 'events_this_minute', used: 3, limit: 5, left: 2, warning: null })
    await start(service, tenant)
    const four = await tenant.status()
    assert.deepEqual([four.next_limit?.left, four.next_limit?.warning], [1, 'events this minute: 4 of 5 used, 1 left.'])
    const { usage } = four
    const { length } = await tenant.eventKinds()
    assert.deepEqual(
      [usage.stored_users, usage.events_this_minute, usage.events_this_month, usage.events_lifetime].map(
        ({ used }) => used,
      ),
      [1, length, length, length],
    )
    service.clock.advance({ minutes: 1 })
    const later = await tenant.status()
    assert.equal(later.usage.events_this_minute.used, 0)
    assert.deepEqual([later.next_limit?.allowance, later.next_limit?.used], ['events_lifetime', 4])
    service.clock.advance({ hours: 71 })
    const last = await tenant.status()
    assert.equal(last.seconds_left, (Date.parse(last.expires_at ?? '') - service.clock.now()) / 1_000)
  })
}
