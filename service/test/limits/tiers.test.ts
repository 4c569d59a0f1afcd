import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import type { OwnerTier } from '../../src/domain/accounts/account.ts'
import { type Counter, minuteStart, monthStart } from '../../src/domain/limits/counter.ts'
import { type ApiResponse, CALLBACK, type Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { type World, world } from '../support/world.ts'

type Window = 'minute' | 'month'

interface Counted {
  readonly used: number
  readonly starts: number
  readonly authenticated: number
}

/** Sets what an account has counted in the current minute or month. */
async function count(service: World, window: Window, counted: Counted): Promise<void> {
  const now = service.clock.now()
  const columns = {
    [`${window}_start`]: window === 'minute' ? minuteStart(now) : monthStart(now),
    [`${window}_used`]: counted.used,
    [`${window}_login_starts`]: counted.starts,
    [`${window}_authenticated`]: counted.authenticated,
  }
  const names = Object.keys(columns)
  await raw(
    databaseOf(service),
    `insert into event_counts (scope, ${names}) values ('${await scopeOfAccount(service)}', ${Object.values(columns)})
      on conflict (scope) do update set ${names.map((name) => `${name} = excluded.${name}`)}`,
  )
}

/** As if only signed-in users had used the window. */
const countRefreshes = (service: World, window: Window, used: number): Promise<void> =>
  count(service, window, { used, starts: 0, authenticated: used })

async function leaveUsers(service: World, limit: number, left: number): Promise<void> {
  const counter: Counter = { scope: await scopeOfAccount(service), window: 'users', start: 0 }
  await service.app.ctx.stores.counters.remove(counter)
  await service.app.ctx.stores.counters.spend(counter, limit - left, null)
}

async function scopeOfAccount(service: World): Promise<`account:${number}`> {
  const [account] = await service.app.ctx.stores.accounts.findByEmail('ada@example.com')
  assert.ok(account)
  return `account:${account.id}`
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

/** Opens the login link without cookies, so that each one is another login. */
const openLogin = (service: World, tenant: Tenant): Promise<ApiResponse> =>
  service.agent.call('GET', `/edge/auth/${tenant.id}/google`)

/** What a user reads, without the markup. */
const wordsOf = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

// proves C167
test('pages name the day on which a used-up month or trial ends, and no number of seconds', async (t) => {
  const service = await world(t)
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
  assert.ok(wordsOf(stopped.page.text).includes(`needs to claim it by ${day}, when the trial ends`))

  const owned = await ownedTenant(service, 'free')
  const [starting, deciding] = [service.browser(), service.browser()]
  await deciding.open(owned.loginUrl)
  await deciding.press('Grace Hopper')
  const monthly = TIER_LIMITS.free.eventsPerMonth ?? 0
  await countRefreshes(service, 'month', monthly)
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

for (const engine of ENGINES) {
  const limits = TIER_LIMITS.free

  // proves C166, C168, C170
  test(`[${engine}] each tier has its own limits, per minute, per month and of stored users`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    const figures = [
      { tier: 'free', minute: 30, month: 5_000, users: 5_000 },
      { tier: 'plus', minute: 150, month: 50_000, users: 50_000 },
      { tier: 'pro', minute: 750, month: 250_000, users: 250_000 },
    ] as const
    for (const { tier, users, ...events } of figures) {
      await setTier(service, tier)
      const { usage } = await tenant.status()
      assert.deepEqual(
        [usage.events_this_minute.limit, usage.events_this_month.limit, usage.stored_users.limit],
        [events.minute, events.month, users],
        tier,
      )
      for (const window of ['minute', 'month'] as const) {
        const limit = events[window]
        const half = limit / 2
        assert.equal(usage[`login_starts_this_${window}`].limit, half)

        await count(service, window, { used: half, starts: half - 1, authenticated: 1 })
        assert.equal((await openLogin(service, tenant)).status, 302, `${tier}: ${window}`)
        const overHalf = await openLogin(service, tenant)
        assert.deepEqual(assertApiError(overHalf, 'rateLimited'), { window, limit: half, left: 0 })

        await countRefreshes(service, window, limit - 1)
        assert.equal((await openLogin(service, tenant)).status, 302, `${tier}: ${window}`)
        const full = await openLogin(service, tenant)
        assert.deepEqual(assertApiError(full, 'rateLimited'), { window, limit, left: 0 })
        await countRefreshes(service, window, 0)
      }
      for (const left of [1, 0]) {
        await leaveUsers(service, users, left)
        const email = `${tier}-${left}@example.com`
        const created = await tenant.manage('POST', '/api/social-login/test-sessions', { email })
        assert.equal(created.status, left === 1 ? 201 : 403, created.text)
      }
      service.clock.advance({ minutes: 1 })
    }
  })

  // proves C166
  test(`[${engine}] events beyond the per-minute limit get 429 until the next minute`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    await countRefreshes(service, 'minute', limits.eventsPerMinute - 1)
    assert.equal((await service.browser().request(tenant.loginUrl)).status, 302)
    const rejected = await openLogin(service, tenant)
    assert.deepEqual([rejected.status, rejected.json.error.details.window], [429, 'minute'])
    assert.ok(Number(rejected.headers.get('retry-after')) <= 60)
    assert.equal((await tenant.status()).status, 'claimed', 'a claimed tenant is never paused')
    service.clock.advance({ minutes: 1 })
    assert.equal((await service.browser().request(tenant.loginUrl)).status, 302)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
  })

  for (const window of ['minute', 'month'] as const) {
    // proves C169
    test(`[${engine}] opening and cancelling logins until the ${window} is used up stops new logins, not signed-in users`, async (t) => {
      const service = await world(t, { engine })
      const tenant = await ownedTenant(service, 'free')
      const { refresh_token } = await tenant.signIn(service.browser(), 'Grace Hopper')
      service.clock.advance({ minutes: 1 })
      const limit = (window === 'minute' ? limits.eventsPerMinute : limits.eventsPerMonth) ?? 0
      const signingIn = service.browser()
      await signingIn.open(tenant.loginUrl)
      await signingIn.press('Alan Turing')
      // Each of half the limit was started and cancelled.
      await count(service, window, { used: limit, starts: limit / 2, authenticated: 0 })

      const rejected = await openLogin(service, tenant)
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
      assert.deepEqual(usage[`events_this_${window}`], { used: limit + 2, limit })
      assert.deepEqual(usage[`login_starts_this_${window}`], { used: limit / 2, limit: limit / 2 })
    })

    // proves C168
    test(`[${engine}] sign-ins and refreshes may use the whole ${window}, and no more`, async (t) => {
      const service = await world(t, { engine })
      const tenant = await ownedTenant(service, 'free')
      const { refresh_token } = await tenant.signIn(service.browser(), 'Grace Hopper')
      service.clock.advance({ minutes: 1 })
      const limit = (window === 'minute' ? limits.eventsPerMinute : limits.eventsPerMonth) ?? 0
      await countRefreshes(service, window, limit - 1)
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

  // proves C170
  test(`[${engine}] at the stored-user limit existing users sign in and new users do not`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await ownedTenant(service, 'free')
    await tenant.signIn(service.browser(), 'Grace Hopper')
    await leaveUsers(service, limits.storedUsers, 0)
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

  // proves C160
  test(`[${engine}] the projects of one owner share one limit`, async (t) => {
    const service = await world(t, { engine })
    const [one, two] = [await ownedTenant(service, 'free'), await ownedTenant(service, 'free')]
    await countRefreshes(service, 'minute', 29)
    assert.equal((await service.browser().request(one.loginUrl)).status, 302)
    assert.equal((await service.browser().request(two.loginUrl)).status, 429)
    assert.equal((await two.status()).usage.events_this_minute.used, 30)
  })
}
