import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { StallDetector } from '../../src/http/server/stall-detector.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES, freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// proves C066
test('an access token can be checked by verify alone: no published key verifies it, and a revoked one decodes as if it were valid', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const settings = await tenant.manage('PATCH', '/api/social-login/settings', {
    id_tokens: { audiences: ['notes'] },
  })
  assert.equal(settings.status, 200, settings.text)
  const { access_token, refresh_token } = await tenant.signIn(browser())

  const [header = '', claims = ''] = access_token.split('.')
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'HS256')
  const { json } = await agent.call('GET', `/edge/auth/${tenant.id}/.well-known/jwks.json`)
  assert.ok(json.keys.length > 0)
  for (const key of json.keys) {
    assert.ok(['RSA RS256', 'EC ES256'].includes(`${key.kty} ${key.alg}`))
    assert.equal('k' in key, false, 'no secret is published')
    assert.equal('d' in key, false, 'no private half is published')
  }

  await tenant.edge('logout', { refresh_token })
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  assert.ok(exp * 1_000 > clock.now(), 'a program that only decodes it accepts it')
  assert.equal(await tenant.isValid(access_token), false)

  const { text } = await agent.call('GET', '/docs/sessions.md')
  assert.match(text, /Decoding the token yourself is not supported and misses revocations/)
})

for (const engine of ENGINES) {
  // proves C058, ASVS 9.2.3
  test(`[${engine}] tokens of one tenant are rejected by another and stay valid`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const [a, b] = [await agent.createTenant(), await agent.createTenant()]
    const pair = await a.signIn(browser())
    clock.advance({ minutes: 1 })
    assert.deepEqual((await b.edge('verify', { access_token: pair.access_token })).json, {
      valid: false,
    })
    await b.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
    assert.equal((await b.edge('logout', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal(await a.isValid(pair.access_token), true)
    await a.refresh(pair.refresh_token)
    assert.deepEqual(await b.eventKinds(), [])
  })

  // proves C023, C056, C104, C137, S005, RFC 9700 4.14
  test(`[${engine}] a refresh returns a new pair and revokes the old one immediately`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const first = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const second = await tenant.refresh(first.refresh_token)

    assert.equal(await tenant.isValid(first.access_token), false)
    assert.equal(await tenant.isValid(second.access_token), true)
    clock.advance({ seconds: 11 })
    await tenant.assertRefreshRejected(first.refresh_token, 'refreshTokenReused')
    assert.equal(await tenant.isValid(second.access_token), false, 'a replay ends the session')
    await tenant.assertRefreshRejected(second.refresh_token, 'invalidRefreshToken')
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { reason: 'refresh_reuse' })
  })

  // proves C034, S003, RFC 9700 2.2.1
  test(`[${engine}] of 20 concurrent refreshes with one token exactly one succeeds`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { refresh_token } = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => tenant.edge('refresh', { refresh_token })),
    )

    const won = responses.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    const codes = new Set(
      responses.filter(({ status }) => status !== 200).map((response) => response.json.error.code),
    )
    assert.deepEqual([...codes], ['refreshTokenSuperseded'])
    assert.equal(await tenant.isValid(won[0]?.json.access_token), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  // proves C138, D3, ASVS 10.4.5
  test(`[${engine}] a refresh token from two refreshes ago ends the session`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const one = await tenant.signIn(browser())
    const two = await tenant.refresh(one.refresh_token)
    const three = await tenant.refresh(two.refresh_token)
    await tenant.assertRefreshRejected(one.refresh_token, 'refreshTokenReused')
    for (const { access_token } of [one, two, three]) {
      assert.equal(await tenant.isValid(access_token), false)
    }
    clock.advance({ minutes: 1 })
    for (const { refresh_token } of [one, two, three]) {
      await tenant.assertRefreshRejected(refresh_token, 'invalidRefreshToken')
    }
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'token_refreshed',
      'logout',
    ])
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { reason: 'refresh_reuse' })
  })

  // proves C068, S005, ASVS 7.4.1
  test(`[${engine}] revocations survive a restart`, async (t) => {
    const before = await world(t, { engine })
    const tenant = await before.agent.createTenant()
    const [stays, goes] = [
      await tenant.signIn(before.browser()),
      await tenant.signIn(before.browser(), 'Grace Hopper'),
    ]
    before.clock.advance({ minutes: 1 })
    const refreshed = await tenant.refresh(stays.refresh_token)
    await tenant.edge('logout', { refresh_token: goes.refresh_token })
    await before.stop()

    const after = await world(t, { like: before })
    const same = tenant.at(after.agent)
    assert.equal(await same.isValid(stays.access_token), false)
    assert.equal(await same.isValid(goes.access_token), false)
    assert.equal(await same.isValid(refreshed.access_token), true)
    await same.assertRefreshRejected(goes.refresh_token, 'invalidRefreshToken')
  })

  // proves C035, C057, ASVS 7.4.1
  test(`[${engine}] logout ends the session, is idempotent, and accepts any refresh token of the session`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const first = await tenant.signIn(browser())
    clock.advance({ minutes: 1 })
    const second = await tenant.refresh(first.refresh_token)
    for (const refresh_token of [first.refresh_token, first.refresh_token, 'svc_rt_garbage', '']) {
      const response = await tenant.edge('logout', { refresh_token })
      assert.deepEqual([response.status, response.json], [200, { success: true }])
    }
    assert.equal(await tenant.isValid(second.access_token), false)
    await tenant.assertRefreshRejected(second.refresh_token, 'invalidRefreshToken')
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { reason: 'user' })
  })
}

// proves S030
test('without a master key that leaked, tenant keys and sessions that have no newer one end, and others continue', {
  skip: slow,
}, async (t) => {
  const [leaked, next] = [`1:${'A'.repeat(43)}`, `2:${'B'.repeat(43)}`]
  const before = await world(t, { env: { SERVICE_KEYS: leaked } })
  const tenant = await before.agent.createTenant()
  const [ends, continues] = [
    await tenant.signIn(before.browser()),
    await tenant.signIn(before.browser()),
  ]
  await before.stop()
  const rotated = await world(t, { like: before, env: { SERVICE_KEYS: `${next},${leaked}` } })
  const newer = await rotated.agent.createTenant()
  const refreshed = await tenant.at(rotated.agent).refresh(continues.refresh_token)
  await rotated.stop()

  await raw(databaseOf(rotated), 'delete from key_checks where kid = 1')
  const { agent } = await world(t, { like: rotated, env: { SERVICE_KEYS: next } })
  const same = tenant.at(agent)
  assert.equal((await same.manage('GET', '/api/status')).status, 401)
  assert.equal((await newer.at(agent).manage('GET', '/api/status')).status, 200)
  assert.equal(await same.isValid(ends.access_token), false)
  await same.assertRefreshRejected(ends.refresh_token, 'invalidRefreshToken')
  assert.equal(await same.isValid(refreshed.access_token), true)
  await same.refresh(refreshed.refresh_token)
})

test('logout does not end another session that has the same id', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const lost = await tenant.signIn(service.browser())
  // As after restoring a backup: another session has the id of the lost one, but another salt.
  await raw(databaseOf(service), `update sessions set salt = x'${'5a'.repeat(16)}'`)
  const response = await tenant.edge('logout', { refresh_token: lost.refresh_token })
  assert.deepEqual(
    [response.status, response.json],
    [200, { success: true }],
    'the same response as for any ended session',
  )
  assert.equal((await everyRow(service)).sessions?.length, 1)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})

test('a refresh token of a lost session neither refreshes nor ends another session that has the same id', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const lost = await tenant.signIn(service.browser())
  service.clock.advance({ minutes: 1 })
  // As after restoring a backup: another session has the id of the lost one, a newer generation and another salt.
  await raw(
    databaseOf(service),
    `update sessions set salt = x'${'5a'.repeat(16)}', generation = generation + 1`,
  )
  await tenant.assertRefreshRejected(lost.refresh_token, 'invalidRefreshToken')
  assert.equal((await everyRow(service)).sessions?.length, 1)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})

test('a refresh token of a generation that the database has lost is refused, and does not end its session', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const { refresh_token } = await tenant.signIn(service.browser())
  service.clock.advance({ minutes: 1 })
  const lost = await tenant.refresh(refresh_token)
  await raw(databaseOf(service), 'update sessions set generation = generation - 1')
  await tenant.assertRefreshRejected(lost.refresh_token, 'invalidRefreshToken')
  assert.equal((await everyRow(service)).sessions?.length, 1)
})

test('without the database a valid token still verifies and a replaced one does not', {
  skip: sqliteOnly,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const { agent, browser, clock } = await world(t, {
    engine: 'postgres',
    env: { DATABASE_URL: proxy.url },
  })
  const tenant = await agent.createTenant()
  const first = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  const second = await tenant.refresh(first.refresh_token)
  proxy.cut()
  assert.equal(
    (await tenant.manage('GET', '/api/status')).status,
    503,
    'the database is unreachable',
  )
  assert.equal(await tenant.isValid(second.access_token), true)
  assert.equal(await tenant.isValid(first.access_token), false)
  assert.equal(await tenant.isValid(`${second.access_token}A`), false)
  proxy.heal()
})

test('after a stall, verify, ID tokens and links wait until the missed revocations are known', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  const unknown = Promise.reject(new Unavailable('not known yet'))
  // The heartbeat of the detector ignores it.
  unknown.catch(() => undefined)
  t.mock.method(StallDetector.prototype, 'stalled', () => true)
  t.mock.method(StallDetector.prototype, 'caughtUp', () => unknown)
  for (const action of ['verify', 'id-token', 'link'] as const) {
    const { status } = await tenant.edge(
      action,
      action === 'link' ? { access_token, provider: 'github' } : { access_token },
    )
    assert.equal(status, 503, action)
  }
})
