import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiResponse, CALLBACK, type Pair, type Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

/** Opens the login link without cookies. */
const start = (
  { agent }: World,
  tenant: Tenant,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => agent.call('GET', `/edge/auth/${tenant.id}/google`, { headers })

for (const engine of ENGINES) {
  test(`[${engine}] a guest's hundred events allow fifty complete logins, and the next start pauses it`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    for (let login = 0; login < 50; login++) {
      await tenant.signIn(service.browser())
    }
    assert.deepEqual((await tenant.status()).usage.events_lifetime, { used: 100, limit: 100 })
    service.clock.advance({ minutes: 1 })
    assert.deepEqual(assertApiError(await start(service, tenant), 'tenantPaused'), {
      pause_reason: 'lifetime_events',
    })
    const { status, usage } = await tenant.status()
    assert.deepEqual([status, usage.events_lifetime.used], ['paused', 100])
  })

  // proves C164, S008
  test(`[${engine}] opening a guest's login link 101 times pauses it, and the refused start is not recorded`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    for (let opened = 0; opened < 100; opened++) {
      if (opened % 3 === 0) {
        service.clock.advance({ minutes: 1 })
      }
      assert.equal((await start(service, tenant)).status, 302)
    }
    const { status, next_limit } = await tenant.status()
    assert.equal(status, 'ephemeral')
    const { warning, ...next } = next_limit ?? assert.fail('a guest has limits')
    assert.deepEqual(next, { allowance: 'events_lifetime', used: 100, limit: 100, left: 0 })
    assert.match(warning ?? '', /the next event pauses the tenant/)
    assert.deepEqual(await tenant.eventKinds(), Array(100).fill('login_started'))
    service.clock.advance({ minutes: 1 })
    const refused = await start(service, tenant)
    assert.deepEqual(assertApiError(refused, 'tenantPaused'), { pause_reason: 'lifetime_events' })
    assert.equal(refused.json.error.retryable, false)
    assert.deepEqual((await tenant.status()).usage.events_lifetime, { used: 100, limit: 100 })
  })

  for (const kind of ['consent_denied', 'login_failed', 'logout'] as const) {
    // proves C165
    test(`[${engine}] ${kind} after a guest's hundredth event is recorded, and pauses the guest`, async (t) => {
      const service = await world(t, { engine })
      const tenant = await service.agent.createTenant()
      const { refresh_token } = await tenant.signIn(service.browser())
      const leaving = service.browser()
      await leaving.open(tenant.loginUrl)
      if (kind === 'consent_denied') {
        await leaving.press('Ada Lovelace')
      }
      await raw(databaseOf(service), 'update event_counts set lifetime_used = lifetime_used + 97')
      assert.equal((await tenant.status()).usage.events_lifetime.used, 100)

      if (kind === 'logout') {
        assert.equal((await tenant.edge('logout', { refresh_token })).status, 200)
      } else {
        await leaving.press(kind === 'consent_denied' ? 'Cancel' : 'Userinfo fails')
      }
      const { status, pause_reason, usage } = await tenant.status()
      assert.deepEqual(
        [status, pause_reason, usage.events_lifetime.used],
        ['paused', 'lifetime_events', 101],
      )
      const { app } = service
      const resource = await app.ctx.stores.resources.findActive(tenant.id)
      assert.ok(resource)
      const events = await app.ctx.stores.events.page(resource, { after: 0, limit: 100 })
      assert.equal(events.at(-1)?.event, kind)
    })
  }

  // proves C032, C159
  test(`[${engine}] a refresh after a guest's hundredth event pauses it, and then only status and deletion work`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const other = await tenant.signIn(service.browser(), 'Grace Hopper')
    let { refresh_token, access_token } = await tenant.signIn(service.browser())
    for (let used = 4; used < 100; used++) {
      if (used % 5 === 0) {
        service.clock.advance({ minutes: 1 })
      }
      ;({ refresh_token, access_token } = await tenant.refresh(refresh_token))
    }
    assert.deepEqual(
      [(await tenant.eventKinds()).length, (await tenant.status()).status],
      [100, 'ephemeral'],
    )
    service.clock.advance({ minutes: 1 })
    const { token } = (
      await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    ).json
    const reason = { pause_reason: 'lifetime_events' }
    assert.deepEqual(
      assertApiError(await tenant.edge('refresh', { refresh_token }), 'tenantPaused'),
      reason,
    )
    const { status, pause_reason, usage, next_limit } = await tenant.status()
    assert.deepEqual([status, pause_reason], ['paused', 'lifetime_events'])
    assert.deepEqual([usage.events_lifetime.used, next_limit?.left], [100, 0])
    for (const response of [
      await tenant.edge('refresh', { refresh_token }),
      await tenant.edge('verify', { access_token }),
      await tenant.edge('verify', { access_token: 'garbage' }),
      await start(service, tenant),
      await service.agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
      await service.agent.call('GET', '/edge/session', { key: token }),
      await tenant.manage('GET', '/api/resources'),
      await tenant.manage('POST', '/api/resources/social-login', {
        callback_url: 'https://b.example.com/cb',
      }),
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

    // A logout is never rejected, and is recorded.
    const page = { origin: new URL(CALLBACK).origin }
    const left = await tenant.edge('logout', { refresh_token: other.refresh_token }, page)
    assert.deepEqual([left.status, left.json], [200, { success: true }])
    assert.equal(
      left.headers.get('access-control-allow-origin'),
      page.origin,
      'also from the app’s page',
    )
    assert.deepEqual((await tenant.edge('logout', { refresh_token: 'garbage' })).json, {
      success: true,
    })
    assert.equal((await tenant.status()).usage.events_lifetime.used, 101)

    const deleted = await tenant.manage('DELETE', '/api/resources/social-login')
    assert.deepEqual(deleted.json, { success: true, resource: 'social-login', status: 'deleted' })
    const after = await tenant.status()
    assert.deepEqual(
      [after.status, after.resources, after.usage.events_lifetime.used],
      ['paused', [], 101],
    )
    service.clock.advance({ hours: 72 })
    assert.equal((await tenant.status()).status, 'expired', 'a paused guest expires too')
  })

  test(`[${engine}] at the per-minute limit of sign-ins the consent page asks the user to retry, and the same button works a minute later`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const pair = await tenant.signIn(service.browser(), 'Alan Turing')
    const [userBrowser, cancelling] = [service.browser(), service.browser()]
    for (const each of [userBrowser, cancelling]) {
      await each.open(tenant.loginUrl)
      await each.press(each === userBrowser ? 'Ada Lovelace' : 'Grace Hopper')
    }
    await tenant.refresh(pair.refresh_token)
    service.clock.advance({ seconds: 20 })
    for (let pressed = 0; pressed < 2; pressed++) {
      await userBrowser.press('Continue')
      const { status, headers, text } = userBrowser.page
      assert.equal(headers.get('retry-after'), '40')
      assert.equal(status, 429)
      assert.match(text, /Press Continue again in 40 seconds/)
    }
    assert.equal((await tenant.users()).length, 1)
    assert.equal(
      (await cancelling.press('Cancel')).searchParams.get('error'),
      'access_denied',
      'Cancel works at the limit',
    )
    const before = await tenant.eventKinds()
    assert.equal(before.at(-1), 'consent_denied', 'and is recorded')

    service.clock.advance({ seconds: 40 })
    const callbackUrl = await userBrowser.press('Continue')
    assert.equal(await tenant.isValid(callbackUrl.searchParams.get('access_token') ?? ''), true)
    assert.deepEqual(await tenant.eventKinds(), [...before, 'authorize'])
  })

  // proves C162
  test(`[${engine}] a guest's minute has five events: three starts at most, and sign-ins and refreshes use what is left`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    let pair: Pair = await tenant.signIn(service.browser())
    service.clock.advance({ minutes: 1 })

    for (let opened = 0; opened < 3; opened++) {
      const { status, headers } = await start(service, tenant)
      assert.equal(status, 302)
      assert.match(headers.get('ratelimit-policy') ?? '', /"minute";q=3;/)
      assert.match(headers.get('ratelimit') ?? '', new RegExp(`"minute";r=${2 - opened};`))
    }
    const fourth = await start(service, tenant)
    assert.deepEqual(assertApiError(fourth, 'rateLimited'), { window: 'minute', limit: 3, left: 0 })
    assert.match(fourth.json.error.message, /login starts/)
    const { usage, next_limit } = await tenant.status()
    assert.deepEqual(
      [usage.events_this_minute, usage.login_starts_this_minute],
      [
        { used: 3, limit: 5 },
        { used: 3, limit: 3 },
      ],
    )
    assert.match(next_limit?.warning ?? '', /^Login starts this minute: 3 of 3 used, 0 left/)

    for (let refreshed = 0; refreshed < 2; refreshed++) {
      pair = await tenant.refresh(pair.refresh_token)
    }
    const third = await tenant.edge('refresh', { refresh_token: pair.refresh_token })
    assert.deepEqual(assertApiError(third, 'rateLimited'), { window: 'minute', limit: 5, left: 0 })
    const full = await tenant.status()
    assert.deepEqual(full.usage.events_this_minute, { used: 5, limit: 5 })
    assert.match(full.next_limit?.warning ?? '', /^Events this minute: 5 of 5 used, 0 left/)
  })

  // proves S008
  test(`[${engine}] strangers who open and cancel logins stop new logins, and neither a refresh nor a login that has started`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const [stays, goes] = [
      await tenant.signIn(service.browser()),
      await tenant.signIn(service.browser(), 'Grace Hopper'),
    ]
    service.clock.advance({ minutes: 1 })
    const arriving = service.browser()
    await arriving.open(tenant.loginUrl)
    await arriving.press('Alan Turing')
    for (let others = 0; others < 2; others++) {
      const stranger = service.browser()
      await stranger.open(tenant.loginUrl)
      await stranger.press('Ada Lovelace')
      await stranger.press('Cancel')
    }
    const rejected = await start(service, tenant)
    assert.deepEqual(assertApiError(rejected, 'rateLimited'), {
      window: 'minute',
      limit: 5,
      left: 0,
    })
    assert.equal(rejected.headers.get('retry-after'), '60')

    const next = await tenant.refresh(stays.refresh_token)
    assert.equal(await tenant.isValid(next.access_token), true)
    assert.ok((await arriving.press('Continue')).searchParams.has('access_token'))
    const third = await tenant.edge('refresh', { refresh_token: next.refresh_token })
    assert.deepEqual(assertApiError(third, 'rateLimited'), { window: 'minute', limit: 5, left: 0 })
    const left = await tenant.edge('logout', { refresh_token: goes.refresh_token })
    assert.deepEqual([left.status, left.json], [200, { success: true }])
    assert.equal(await tenant.isValid(goes.access_token), false)
    assert.deepEqual((await tenant.eventKinds()).slice(-3), [
      'token_refreshed',
      'authorize',
      'logout',
    ])
    const { usage } = await tenant.status()
    assert.deepEqual(
      [usage.events_this_minute, usage.login_starts_this_minute],
      [
        { used: 8, limit: 5 },
        { used: 3, limit: 3 },
      ],
    )
  })

  // proves C174
  test(`[${engine}] at the per-minute limit a refresh gets 429 without consuming its token, and logout still works`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const goes = await tenant.signIn(service.browser(), 'Grace Hopper')
    let stays: Pair = await tenant.signIn(service.browser())
    service.clock.advance({ minutes: 1 })
    for (let refreshed = 0; refreshed < 5; refreshed++) {
      stays = await tenant.refresh(stays.refresh_token)
    }
    const rejected = await tenant.edge('refresh', { refresh_token: stays.refresh_token })
    assert.deepEqual(assertApiError(rejected, 'rateLimited'), {
      window: 'minute',
      limit: 5,
      left: 0,
    })
    assert.equal(rejected.headers.get('retry-after'), '60')
    assert.equal(await tenant.isValid(stays.access_token), true)

    const left = await tenant.edge('logout', { refresh_token: goes.refresh_token })
    assert.deepEqual([left.status, left.json], [200, { success: true }])
    assert.equal(await tenant.isValid(goes.access_token), false)
    assert.equal((await tenant.eventKinds()).at(-1), 'logout', 'logout at the limit is recorded')
    service.clock.advance({ minutes: 1 })
    const next = await tenant.refresh(stays.refresh_token)
    assert.equal(await tenant.isValid(next.access_token), true)
    assert.deepEqual((await tenant.eventKinds()).slice(-2), ['logout', 'token_refreshed'])
  })

  test(`[${engine}] a warning about login starts stands at the window that they are part of`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    for (let count = 0; count < 3; count++) {
      await start(service, tenant)
    }

    const { next_limit } = await tenant.status()

    const { warning, ...next } = next_limit ?? assert.fail('a guest has limits')
    assert.deepEqual(next, { allowance: 'events_this_minute', used: 3, limit: 5, left: 2 })
    assert.match(warning ?? '', /^Login starts this minute: 3 of 3 used, 0 left/)
  })

  test(`[${engine}] status reports usage and warns from four fifths of any limit`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const nothing = await tenant.status()
    assert.deepEqual(nothing.usage, {
      stored_users: { used: 0, limit: 1_000 },
      events_this_minute: { used: 0, limit: 5 },
      events_this_month: { used: 0, limit: null },
      login_starts_this_minute: { used: 0, limit: 3 },
      login_starts_this_month: { used: 0, limit: null },
      authenticated_events_this_minute: { used: 0, limit: 5 },
      authenticated_events_this_month: { used: 0, limit: null },
      events_lifetime: { used: 0, limit: 100 },
    })
    assert.equal(nothing.next_limit?.warning, null)
    const pair = await tenant.signIn(service.browser())
    await tenant.refresh(pair.refresh_token)
    const three = await tenant.status()
    assert.deepEqual(three.next_limit, {
      allowance: 'events_this_minute',
      used: 3,
      limit: 5,
      left: 2,
      warning: null,
    })
    await start(service, tenant)
    const four = await tenant.status()
    assert.equal(four.next_limit?.left, 1)
    assert.match(four.next_limit?.warning ?? '', /^Events this minute: 4 of 5 used, 1 left/)
    const { usage } = four
    const { length } = await tenant.eventKinds()
    assert.deepEqual(
      [
        usage.stored_users,
        usage.events_this_minute,
        usage.events_this_month,
        usage.events_lifetime,
      ].map(({ used }) => used),
      [1, length, length, length],
    )
    service.clock.advance({ minutes: 1 })
    const later = await tenant.status()
    assert.equal(later.usage.events_this_minute.used, 0)
    assert.deepEqual([later.next_limit?.allowance, later.next_limit?.used], ['events_lifetime', 4])
    service.clock.advance({ hours: 71 })
    const last = await tenant.status()
    assert.equal(
      last.seconds_left,
      (Date.parse(last.expires_at ?? '') - service.clock.now()) / 1_000,
    )
  })
}
