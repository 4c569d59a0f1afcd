import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GUESTS_PER_MINUTE_PER_ADDRESS, TIER_LIMITS } from '@gatehouse-auth/contract'
import { loginStartLimit } from '../../src/domain/limits/allowance.ts'
import { startLogin } from '../support/actors/login-start.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const { eventsPerMinute, eventsPerLifetime, storedUsers } = TIER_LIMITS.ephemeral

for (const engine of ENGINES) {
  // proves C397
  test(`[${engine}] with DEV_UNLIMITED a guest passes the limits of a minute and of its lifetime, and every event is counted`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine, env: { DEV_UNLIMITED: '1' } })
    const tenant = await service.agent.createTenant()
    const { refresh_token } = await tenant.signIn(service.browser())
    const lifetime = (eventsPerLifetime ?? 0) + 1
    for (let event = 3; event <= lifetime; event++) {
      const started = await startLogin(service, tenant, `?return_to=/${event}`)
      assert.equal(started.status, 302, started.text)
      assert.equal(
        started.headers.get('ratelimit'),
        null,
        'no limit is announced that is not enforced',
      )
    }
    const next = await tenant.refresh(refresh_token)
    assert.deepEqual((await tenant.edge('logout', next)).json, { success: true })

    const { status, usage, unlimited } = await tenant.status()
    assert.equal(status, 'ephemeral', 'not paused')
    assert.equal(unlimited, true)
    assert.deepEqual(usage.events_this_minute, { used: lifetime + 2, limit: null })
    assert.deepEqual(usage.login_starts_this_minute, { used: lifetime - 1, limit: null })
    assert.deepEqual(usage.events_lifetime, { used: lifetime + 2, limit: null })
    assert.deepEqual(
      usage.stored_users,
      { used: 1, limit: storedUsers },
      'stored users stay limited',
    )
    const kinds = await tenant.eventKinds()
    assert.deepEqual(
      [kinds.length, ...kinds.slice(-2)],
      [lifetime + 2, 'token_refreshed', 'logout'],
    )
  })

  test(`[${engine}] with DEV_UNLIMITED one machine creates more guests in a minute than a client address may`, async (t) => {
    const service = await world(t, { engine, env: { DEV_UNLIMITED: '1' } })
    const ids = new Set<string>()
    for (let guest = 0; guest <= GUESTS_PER_MINUTE_PER_ADDRESS; guest++) {
      const created = await service.agent.call('POST', '/api/genesis')
      assert.equal(created.status, 201, created.text)
      assert.equal(created.headers.get('ratelimit'), null)
      ids.add(created.json.tenant_id)
    }
    assert.equal(ids.size, GUESTS_PER_MINUTE_PER_ADDRESS + 1)
  })
}

test('without DEV_UNLIMITED a development service enforces the specified limits, and status has no field for it', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  service.clock.advance({ minutes: 1 })
  const starts = loginStartLimit(eventsPerMinute)
  for (let event = 1; event <= starts; event++) {
    assert.equal((await startLogin(service, tenant, `?return_to=/${event}`)).status, 302)
  }
  const limited = await startLogin(service, tenant, '?return_to=/more')
  assert.equal(limited.status, 429)
  assert.match(
    limited.text,
    /start this development service with DEV_UNLIMITED=1/,
    'tests learn how to lift it',
  )
  const status = await tenant.status()
  assert.equal('unlimited' in status, false)
  assert.deepEqual(status.usage.login_starts_this_minute, { used: starts, limit: starts })
  let created = await service.agent.call('POST', '/api/genesis')
  for (let guest = 0; guest < GUESTS_PER_MINUTE_PER_ADDRESS; guest++) {
    created = await service.agent.call('POST', '/api/genesis')
  }
  assert.match(
    created.text,
    /One source may .* start this development service with DEV_UNLIMITED=1/,
  )
})
