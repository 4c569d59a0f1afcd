import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STARTS_PER_MINUTE_PER_ADDRESS, TIER_LIMITS } from '@gatehouse-auth/contract'
import { minuteStart } from '../../src/domain/limits/counter.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { createGuest, createTenGuests } from '../support/actors/guest-creation.ts'
import { ownedTenant } from '../support/actors/providers.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

/** Opens the login link without cookies. */
const start = (
  { agent }: World,
  tenant: Tenant,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => agent.call('GET', `/edge/auth/${tenant.id}/google`, { headers })

for (const engine of ENGINES) {
  // proves C162
  test(`[${engine}] a guest has three login starts a minute, half of its five auth events, also with twelve concurrent logins`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    service.clock.advance({ seconds: 12 })
    for (let left = 2; left >= 0; left--) {
      const { status, headers } = await start(service, tenant)
      assert.deepEqual(
        [status, headers.get('ratelimit-policy'), headers.get('ratelimit')],
        [302, '"minute";q=3;w=60', `"minute";r=${left};t=48`],
      )
    }
    const fourth = await start(service, tenant)
    assert.deepEqual(assertApiError(fourth, 'rateLimited'), { window: 'minute', limit: 3, left: 0 })
    assert.deepEqual(
      ['retry-after', 'ratelimit-policy', 'ratelimit', 'set-cookie'].map((name) =>
        fourth.headers.get(name),
      ),
      ['48', '"minute";q=3;w=60', '"minute";r=0;t=48', null],
    )
    const page = await start(service, tenant, { Accept: 'text/html' })
    assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '48'])
    assert.match(page.text, /Too many sign-ins/)
    assert.equal((await tenant.eventKinds()).length, 3)

    service.clock.advance({ seconds: 48 })
    const concurrent = await Promise.all(Array.from({ length: 12 }, () => start(service, tenant)))
    assert.equal(concurrent.filter(({ status }) => status === 302).length, 3)
    assert.equal(concurrent.filter(({ status }) => status === 429).length, 9)
    assert.deepEqual(await tenant.eventKinds(), Array(6).fill('login_started'))
    const { status, pause_reason, usage } = await tenant.status()
    assert.deepEqual(
      [status, pause_reason, usage.events_this_minute.used, usage.events_lifetime.used],
      ['ephemeral', null, 3, 6],
    )
  })

  test(`[${engine}] a client address starts as many logins a minute as it may; the next is 429 and no event`, async (t) => {
    const service = await world(t, { engine })
    const { ctx } = service.app
    const tenant = await service.agent.createTenant()
    const scope = `starts:${ctx.keyring.hash('source', '127.0.0.1')}` as const
    const counter = { scope, window: 'minute', start: minuteStart(ctx.now()) } as const
    const others = STARTS_PER_MINUTE_PER_ADDRESS - 1
    await ctx.stores.transaction(({ counters }) => counters.spend(counter, others, null))
    assert.equal((await start(service, tenant)).status, 302)
    assertApiError(await start(service, tenant), 'rateLimited')
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] a client address starts as many logins a minute as the tier of the tenant has events`, async (t) => {
    const service = await world(t, { engine })
    const { ctx } = service.app
    const { tenant } = await ownedTenant(service)
    const [account] = await ctx.stores.accounts.findByEmail('ada@example.com')
    assert.ok(account)
    const scope = `starts:${ctx.keyring.hash('source', '127.0.0.1')}` as const
    const counter = { scope, window: 'minute', start: minuteStart(ctx.now()) } as const
    await ctx.stores.counters.remove(counter)
    await ctx.stores.counters.spend(counter, TIER_LIMITS.pro.eventsPerMinute - 1, null)
    assertApiError(await start(service, tenant), 'rateLimited')
    await ctx.stores.accounts.setTier(account.id, 'pro')
    assert.equal((await start(service, tenant)).status, 302)
    const beyond = assertApiError(await start(service, tenant), 'rateLimited')
    assert.deepEqual(beyond, { window: 'minute', limit: 750, left: 0 })
  })
}

test('X-Forwarded-For identifies the client behind a trusted proxy and is ignored otherwise', async (t) => {
  const trusting = await world(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32 10.0.0.0/8' } })
  const from = (forwarded: string): Record<string, string> => ({ 'X-Forwarded-For': forwarded })
  await createTenGuests(trusting.agent, from('203.0.113.7'))
  await createTenGuests(trusting.agent, from('203.0.113.8'))
  for (const sameClient of [
    '198.51.100.1, 203.0.113.7',
    '203.0.113.7, 10.1.2.3',
    '::ffff:203.0.113.7',
  ]) {
    assertApiError(await createGuest(trusting.agent, { headers: from(sameClient) }), 'rateLimited')
  }
  // An IPv6 subscriber has a /64, so the limit applies to the prefix.
  for (let host = 1; host <= 10; host++) {
    assert.equal(
      (await createGuest(trusting.agent, { headers: from(`2001:db8:1:2::${host}`) })).status,
      201,
    )
  }
  assertApiError(
    await createGuest(trusting.agent, { headers: from('2001:0DB8:1:2:ffff::9') }),
    'rateLimited',
  )
  assert.equal(
    (await createGuest(trusting.agent, { headers: from('2001:db8:1:3::1') })).status,
    201,
  )

  const { agent } = await world(t)
  for (let i = 0; i < 10; i++) {
    assert.equal((await createGuest(agent, { headers: from(`203.0.113.${i}`) })).status, 201)
  }
  for (const header of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP']) {
    assertApiError(
      await createGuest(agent, { headers: { [header]: '203.0.113.99' } }),
      'rateLimited',
    )
  }
})

// proves S035, RFC 9700 4.13
test('forged forwarding headers do not raise the creation limit of a client address', async (t) => {
  const { agent } = await world(t)
  const responses: number[] = []
  for (let i = 0; i < 30; i++) {
    const forged = {
      'X-Forwarded-For': `203.0.113.${i}, 10.0.0.${i}`,
      'X-Real-IP': `203.0.113.${i}`,
      'True-Client-IP': `203.0.113.${i}`,
      'X-Cluster-Client-IP': `203.0.113.${i}`,
      Forwarded: `for=203.0.113.${i}`,
    }
    responses.push((await createGuest(agent, { headers: forged })).status)
  }
  assert.deepEqual(responses, [...Array(10).fill(201), ...Array(20).fill(429)])
})

// proves C130, C144
test('genesis rejects a User-Agent that contains "curl" and does not count it against the limit', async (t) => {
  const { agent } = await world(t)
  for (const userAgent of ['curl/8.5.0', 'CURL', 'my-agent (libcurl 7)', 'MyCurLy/1']) {
    for (const body of [undefined, {}, '{"broken', 'x'.repeat(70_000)]) {
      const response = await createGuest(agent, {
        headers: { 'User-Agent': userAgent },
        ...(body && { body }),
      })
      assert.equal(assertApiError(response, 'bannedUserAgent'), undefined)
      assert.equal(response.headers.get('ratelimit'), null)
    }
  }
  await createTenGuests(agent)
})

test('genesis rejects the media types that a cross-site form can send', async (t) => {
  const { agent } = await world(t)
  for (const type of [
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ]) {
    assertApiError(
      await createGuest(agent, { body: '{}', headers: { 'Content-Type': type } }),
      'unsupportedMediaType',
    )
  }
  for (let created = 0; created < 10; created++) {
    assert.equal(
      (await createGuest(agent)).status,
      201,
      'rejected requests do not count against the limit',
    )
  }
})
