import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const SESSIONS = '/api/social-login/test-sessions'
const USERS = '/api/social-login/users'
const SETTINGS = '/api/social-login/settings'

const signIn = (tenant: Tenant, body: object) => tenant.manage('POST', SESSIONS, body)

for (const engine of ENGINES) {
  // proves C393
  test(`[${engine}] one call signs a made-up user in, with a session like any other`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    service.clock.advance({ minutes: 1 })
    const body = {
      email: 'eve@example.com',
      name: ' Eve  Adams ',
      picture: 'https://example.com/eve.png',
    }
    const created = await signIn(tenant, body)
    assert.equal(created.status, 201, created.text)
    const { access_token, refresh_token, user } = created.json
    assert.deepEqual(user, { id: 1, ...body, name: 'Eve Adams' })
    assert.match(created.headers.get('ratelimit') ?? '', /^"minute";r=4/)
    assert.deepEqual((await tenant.edge('verify', { access_token })).json, { valid: true, user })

    const next = await tenant.refresh(refresh_token)
    assert.equal(await tenant.isValid(access_token), false)
    assert.deepEqual((await tenant.edge('logout', next)).json, { success: true })
    assert.equal(await tenant.isValid(next.access_token), false)
    const [authorize, ...others] = await tenant.events()
    assert.deepEqual(
      [
        authorize?.event,
        authorize?.email,
        authorize?.redirect_uri,
        authorize?.return_to,
        authorize?.metadata,
      ],
      ['authorize', 'eve@example.com', null, null, { new_user: true }],
    )
    assert.deepEqual(
      others.map(({ event }) => event),
      ['token_refreshed', 'logout'],
    )
  })

  test(`[${engine}] a test session with the email address of a login has its user; with a subject of its own, another`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    await tenant.signIn(service.browser(), 'Ada Lovelace')
    service.clock.advance({ minutes: 1 })
    const ids: number[] = []
    for (const body of [
      { email: 'ADA@example.com' },
      { email: 'eve@example.com' },
      { email: 'eve@example.com', name: 'Eve' },
      { email: 'eve@example.com', subject: 'another' },
    ]) {
      ids.push((await signIn(tenant, body)).json.user.id)
    }
    assert.deepEqual(ids, [1, 2, 2, 3])
    assert.deepEqual(
      (await tenant.users()).map(({ email, name }) => [email, name]),
      [
        ['ada@example.com', 'Ada Lovelace'],
        ['eve@example.com', 'Eve'],
        ['eve@example.com', null],
      ],
    )
  })

  test(`[${engine}] access_token_seconds shortens the access token of a test session, and a refresh gives a full one`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    service.clock.advance({ minutes: 1 })
    const { access_token, refresh_token } = (
      await signIn(tenant, { email: 'e@example.com', access_token_seconds: 5 })
    ).json
    service.clock.advance({ seconds: 4 })
    assert.equal(await tenant.isValid(access_token), true)
    service.clock.advance({ seconds: 1 })
    assert.equal(await tenant.isValid(access_token), false)
    const next = await tenant.refresh(refresh_token)
    service.clock.advance({ minutes: 59 })
    assert.equal(await tenant.isValid(next.access_token), true)
  })

  // proves C394
  test(`[${engine}] deleting all users ends their sessions at once and keeps the configuration, and no id is reused`, async (t) => {
    const service = await world(t, { engine })
    const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
    const callbacks = ['https://app.example.com/callback', 'http://localhost:3000/cb']
    const body = { callback_urls: callbacks, refresh_leeway_seconds: 7 }
    const { json: provisioned } = await tenant.manage('POST', '/api/resources/social-login', body)
    const pair = await tenant.signIn(service.browser())
    const spared = await other.signIn(service.browser())
    const started = service.browser()
    await started.open(tenant.loginUrl)
    const settings = {
      allowed_domains: ['example.org'],
      allowed_emails: ['ada@example.com'],
      callback_mode: 'code',
    }
    const { json: changed } = await tenant.manage('PATCH', SETTINGS, settings)

    assert.deepEqual((await tenant.manage('DELETE', USERS)).json, { success: true })
    assert.deepEqual((await tenant.manage('GET', SETTINGS)).json, changed)
    assert.equal(changed.callback_mode, 'code')
    assert.deepEqual([await tenant.users(), await tenant.events()], [[], []])
    assert.equal(await tenant.isValid(pair.access_token), false)
    await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
    await started.press('Ada Lovelace')
    assert.equal(started.page.status, 410, 'a login that had started is over')
    const { json } = await tenant.manage('GET', '/api/resources')
    assert.deepEqual(json.resources, [
      { resource: 'social-login', status: 'active', ...provisioned },
    ])
    const { usage } = await tenant.status()
    assert.deepEqual(
      [usage.stored_users.used, usage.events_lifetime.used],
      [0, 3],
      'events stay counted',
    )

    service.clock.advance({ minutes: 1 })
    assert.equal((await signIn(tenant, { email: 'ada@example.com' })).json.user.id, 2)
    assert.deepEqual(
      (await tenant.events()).map(({ id, event }) => [id, event]),
      [[4, 'authorize']],
    )
    assert.equal(await other.isValid(spared.access_token), true, 'other tenants are unaffected')
  })

  test(`[${engine}] a test session at the user limit of an owner is userLimit and changes nothing`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    await tenant.signIn(service.browser())
    await claim(tenant, service.browser())
    service.clock.advance({ minutes: 1 })
    const [account] = await service.app.ctx.stores.accounts.findByEmail('ada@example.com')
    const counter = { scope: `account:${account?.id ?? 0}`, window: 'users', start: 0 } as const
    await service.app.ctx.stores.counters.spend(counter, TIER_LIMITS.free.storedUsers - 1, null)

    assertApiError(await signIn(tenant, { email: 'eve@example.com' }), 'userLimit')
    assert.equal((await tenant.status()).status, 'claimed')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    assert.equal(
      (await signIn(tenant, { email: 'ada@example.com' })).status,
      201,
      'a known user still signs in',
    )
  })

  test(`[${engine}] test sessions follow the limits of a guest and are rejected before it is provisioned`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant(null)
    for (const [method, path, body] of [
      ['POST', SESSIONS, { email: 'eve@example.com' }],
      ['DELETE', USERS, undefined],
    ] as const) {
      assertApiError(await tenant.manage(method, path, body), 'notProvisioned')
    }
    await tenant.provision(['https://app.example.com/callback'])
    service.clock.advance({ minutes: 1 })
    for (let event = 0; event < TIER_LIMITS.ephemeral.eventsPerMinute; event++) {
      assert.equal((await signIn(tenant, { email: `${event}@example.com` })).status, 201)
    }
    assertApiError(await signIn(tenant, { email: 'eve@example.com' }), 'rateLimited')
    assert.equal((await tenant.users()).length, TIER_LIMITS.ephemeral.eventsPerMinute)
  })
}

test('a test session that the development Google would refuse is an error that names the field, and changes nothing', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const email = 'eve@example.com'
  for (const [body, path] of [
    [{}, 'email'],
    [{ email: 'eve' }, 'email'],
    [{ email: `${'e'.repeat(250)}@x.com` }, 'email'],
    [{ email, subject: '' }, 'subject'],
    [{ email, subject: 'a\0b' }, 'subject'],
    [{ email, subject: '3'.repeat(256) }, 'subject'],
    [{ email, access_token_seconds: 4 }, 'access_token_seconds'],
    [{ email, access_token_seconds: 3_601 }, 'access_token_seconds'],
    [{ email, user_id: 7 }, 'user_id'],
  ] as const) {
    const { problems } = assertApiError(await signIn(tenant, body), 'invalidRequest') as {
      problems: { path: string }[]
    }
    assert.deepEqual(
      problems.map((problem) => problem.path),
      [path],
      JSON.stringify(body),
    )
  }
  assert.deepEqual([await tenant.users(), await tenant.events()], [[], []])
})
