import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import type { OwnerTier } from '../../src/domain/accounts/account.ts'
import { type Counter, minuteStart, monthStart } from '../../src/domain/limits/counter.ts'
import { CALLBACK, type Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { type World, world } from '../support/world.ts'

/** Raises an account's counter with unauthenticated events (or users) until only `left` remain. */
async function leaveRemaining(
  service: World,
  window: 'minute' | 'month' | 'users',
  limit: number,
  left: number,
): Promise<void> {
  const [account] = await service.app.ctx.stores.accounts.findByEmail('ada@example.com')
  assert.ok(account)
  const scope = `account:${account.id}` as const
  if (window === 'users') {
    const counter: Counter = { scope, window, start: 0 }
    await service.app.ctx.stores.counters.remove(counter)
    await service.app.ctx.stores.counters.spend(counter, limit - left, null)
    return
  }
  const now = service.clock.now()
  const start = window === 'minute' ? minuteStart(now) : monthStart(now)
  await raw(
    databaseOf(service),
    `insert into event_counts (scope, ${window}_start, ${window}_used) values ('${scope}', ${start}, ${limit - left})
      on conflict (scope) do update set ${window}_start = excluded.${window}_start, ${window}_used = excluded.${window}_used`,
  )
}

/** The same with authenticated events. */
async function leaveAuthenticated(
  service: World,
  window: 'minute' | 'month',
  limit: number,
  left: number,
): Promise<void> {
  await leaveRemaining(service, window, limit, left)
  await raw(
    databaseOf(service),
    `update event_counts set ${window}_authenticated = ${window}_used where scope like 'account:%'`,
  )
}

async function ownedTenant(service: World, tier: OwnerTier): Promise<Tenant> {
  const tenant = await service.agent.createTenant()
  await claim(tenant, service.browser())
  await setTier(service, tier)
  return tenant
}

async function setTier(service: World, tier: OwnerTier): Promise<void> {
  const [account] = await service.app.ctx.stores.accounts.findByEmail('ada@example.com')
  assert.ok(account)
  await service.app.ctx.stores.accounts.setTier(account.id, tier)
}

/** What a user reads, without the markup. */
const wordsOf = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

for (const engine of ENGINES) {
  test(`[${engine}] pages name the day on which a used-up month or trial ends, and no number of seconds`, async (t) => {
    const service = await world(t, { engine })
    const guest = await service.agent.createTenant()
    const day = new Date(guest.created.expires_at ?? '').toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
    await service.app.ctx.stores.tenants.pause(guest.id, 'lifetime_events', service.clock.now())
    const stopped = service.browser()
    await stopped.open(guest.loginUrl)
    assert.equal(stopped.page.status, 403)
    assert.ok(
      wordsOf(stopped.page.text).includes(`needs to claim it by ${day}, when the trial ends`),
    )

    const owned = await ownedTenant(service, 'free')
    const [starting, deciding] = [service.browser(), service.browser()]
    await deciding.open(owned.loginUrl)
    await deciding.press('Grace Hopper')
    const monthly = TIER_LIMITS.free.eventsPerMonth ?? 0
    await leaveAuthenticated(service, 'month', monthly, 0)
    await starting.open(owned.loginUrl)
    await deciding.press('Continue')
    for (const { page } of [starting, deciding]) {
      const words = wordsOf(page.text)
      assert.equal(page.status, 429, words)
      assert.match(words, /monthly sign-in limit\. It resets on 1 [A-Z][a-z]+\./)
      assert.match(
        words,
        new RegExp(`The account that owns this tenant has used its ${monthly} `),
        'the true figure',
      )
      assert.doesNotMatch(words, /\d+ s\b/)
    }
    assert.deepEqual((await owned.users()).length, 0)
  })
}

for (const engine of ENGINES) {
  const limits = TIER_LIMITS.free

  test(`[${engine}] each tier has its own limits, per minute, per month and of stored users`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    for (const tier of ['free', 'plus', 'pro'] as const) {
      const { eventsPerMinute, eventsPerMonth, storedUsers } = TIER_LIMITS[tier]
      await setTier(service, tier)
      const { usage } = await tenant.status()
      assert.deepEqual(
        [usage.events_this_minute.limit, usage.events_this_month.limit, usage.stored_users.limit],
        [eventsPerMinute, eventsPerMonth, storedUsers],
        tier,
      )
      for (const [window, limit] of [
        ['minute', eventsPerMinute],
        ['month', eventsPerMonth ?? assert.fail()],
      ] as const) {
        await leaveRemaining(service, window, limit, 1)
        assert.equal(
          (await service.browser().request(tenant.loginUrl)).status,
          302,
          `${tier}: ${window}`,
        )
        const rejected = await service.agent.call('GET', `/edge/auth/${tenant.id}/google`)
        assert.deepEqual(assertApiError(rejected, 'rateLimited'), { window, limit, left: 0 })
        await leaveRemaining(service, window, limit, limit)
      }
      for (const left of [1, 0]) {
        await leaveRemaining(service, 'users', storedUsers, left)
        const email = `${tier}-${left}@example.com`
        const created = await tenant.manage('POST', '/api/social-login/test-sessions', { email })
        assert.equal(created.status, left === 1 ? 201 : 403, created.text)
      }
      service.clock.advance({ minutes: 1 })
    }
  })

  test(`[${engine}] events beyond the per-minute limit get 429 until the next minute`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    await leaveRemaining(service, 'minute', limits.eventsPerMinute, 1)
    assert.equal((await service.browser().request(tenant.loginUrl)).status, 302)
    const rejected = await service.agent.call('GET', `/edge/auth/${tenant.id}/google`)
    assert.deepEqual([rejected.status, rejected.json.error.details.window], [429, 'minute'])
    assert.ok(Number(rejected.headers.get('retry-after')) <= 60)
    assert.equal((await tenant.status()).status, 'claimed', 'a claimed tenant is never paused')
    service.clock.advance({ minutes: 1 })
    assert.equal((await service.browser().request(tenant.loginUrl)).status, 302)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
  })

  for (const window of ['minute', 'month'] as const) {
    test(`[${engine}] opening the login link until the ${window} is used up stops new logins, not signed-in users`, async (t) => {
      const service = await world(t, { engine })
      const tenant = await ownedTenant(service, 'free')
      const { refresh_token } = await tenant.signIn(service.browser(), 'Grace Hopper')
      service.clock.advance({ minutes: 1 })
      const limit = (window === 'minute' ? limits.eventsPerMinute : limits.eventsPerMonth) ?? 0
      const signingIn = service.browser()
      await signingIn.open(tenant.loginUrl)
      await signingIn.press('Alan Turing')
      await leaveRemaining(service, window, limit, 0)

      const rejected = await service.agent.call('GET', `/edge/auth/${tenant.id}/google`)
      assert.deepEqual(assertApiError(rejected, 'rateLimited'), { window, limit, left: 0 })
      assert.match(
        rejected.json.error.message,
        new RegExp(`^The account that owns this tenant has used its ${limit} auth events`),
      )
      assert.ok(Number(rejected.headers.get('retry-after')) > 0)
      const next = await tenant.refresh(refresh_token)
      assert.equal(await tenant.isValid(next.access_token), true)
      assert.ok(
        (await signingIn.press('Continue')).searchParams.has('access_token'),
        'a login that has started ends',
      )
      assert.deepEqual((await tenant.eventKinds()).slice(-3), [
        'login_started',
        'token_refreshed',
        'authorize',
      ])
      const { usage } = await tenant.status()
      const name = `events_this_${window}` as const
      assert.deepEqual(usage[name], { used: limit + 2, limit })
      assert.equal(usage[`authenticated_${name}`].used, window === 'minute' ? 2 : 3)
    })

    test(`[${engine}] sign-ins and refreshes together have the ${window} limit for themselves`, async (t) => {
      const service = await world(t, { engine })
      const tenant = await ownedTenant(service, 'free')
      const { refresh_token } = await tenant.signIn(service.browser(), 'Grace Hopper')
      service.clock.advance({ minutes: 1 })
      const limit = (window === 'minute' ? limits.eventsPerMinute : limits.eventsPerMonth) ?? 0
      await leaveAuthenticated(service, window, limit, 1)
      const next = await tenant.refresh(refresh_token)
      service.clock.advance({ seconds: 1 })
      const full = await tenant.edge('refresh', { refresh_token: next.refresh_token })
      assert.deepEqual(assertApiError(full, 'rateLimited'), { window, limit, left: 0 })
      assert.equal(
        await tenant.isValid(next.access_token),
        true,
        'a rejected refresh consumes nothing',
      )
      const out = await tenant.edge('logout', { refresh_token: next.refresh_token })
      assert.equal(out.status, 200, 'a logout is not rejected')
      assert.equal((await tenant.eventKinds()).at(-1), 'logout', 'and recorded')
      service.clock.advance(window === 'minute' ? { minutes: 1 } : { days: 31 })
      assert.equal((await service.browser().request(tenant.loginUrl)).status, 302)
    })
  }

  test(`[${engine}] at the stored-user limit existing users sign in and new users do not`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    await tenant.signIn(service.browser(), 'Grace Hopper')
    await leaveRemaining(service, 'users', limits.storedUsers, 0)
    await tenant.signIn(service.browser(), 'Grace Hopper')
    service.clock.advance({ minutes: 1 })
    const newUser = service.browser()
    await newUser.open(tenant.loginUrl)
    await newUser.press('Alan Turing')
    assert.equal((await newUser.press('Continue')).href, `${CALLBACK}?error=login_failed`)
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, {
      stage: 'user_upsert',
      error_code: 'user_limit',
    })
    assert.equal((await tenant.users()).length, 1)
    assert.equal((await tenant.status()).status, 'claimed')
  })

  test(`[${engine}] the projects of one owner share one limit`, async (t) => {
    const service = await world(t, { engine })
    const [one, two] = [await ownedTenant(service, 'free'), await ownedTenant(service, 'free')]
    await leaveRemaining(service, 'minute', 30, 1)
    assert.equal((await service.browser().request(one.loginUrl)).status, 302)
    assert.equal((await service.browser().request(two.loginUrl)).status, 429)
    assert.equal((await two.status()).usage.events_this_minute.used, 30)
  })
}
