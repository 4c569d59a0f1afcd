import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const SETTINGS = '/api/social-login/settings'
const CLAIMS = '/api/social-login/users/1/claims'

async function switchOn(
  tenant: Tenant,
  id_tokens: object = { audiences: ['app', 'neon'] },
): Promise<void> {
  const response = await tenant.manage('PATCH', SETTINGS, { id_tokens })
  assert.equal(response.status, 200, response.text)
}

async function signedIn(service: World) {
  const tenant = await service.agent.createTenant()
  const pair = await tenant.signIn(service.browser())
  const { access_token } = pair
  const ask = (more: object = {}, token = access_token) =>
    tenant.edge('id-token', { access_token: token, ...more })
  const discover = (file: string, id = tenant.id) =>
    service.agent.call('GET', `/edge/auth/${id}/.well-known/${file}`)
  /** Checks a token as another system does: by the published keys, the issuer and the audience. */
  const check = async (token: string, audience = 'app') => {
    const { json } = await discover('openid-configuration')
    const keys = createLocalJWKSet((await discover('jwks.json')).json)
    const currentDate = new Date(service.clock.now())
    const algorithms = json.id_token_signing_alg_values_supported
    return jwtVerify(token, keys, { issuer: json.issuer, audience, algorithms, currentDate })
  }
  return { tenant, pair, ask, check, discover }
}

for (const engine of ENGINES) {
  // proves C204
  test(`[${engine}] another system verifies an ID token by discovery alone, and gets the user and the claims`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ask, check, discover } = await signedIn(service)
    await switchOn(tenant, {
      audiences: ['app', 'neon', 'app'],
      claims: { role: 'authenticated', plan: 'free' },
    })
    await tenant.manage('PUT', CLAIMS, { claims: { role: 'admin', teams: ['a'] } })
    const signedInAt = Math.floor(service.clock.now() / 1_000)
    service.clock.advance({ minutes: 10 })
    const { status, json, headers } = await ask()
    assert.deepEqual(
      [status, Object.keys(json), json.expires_in],
      [200, ['id_token', 'expires_in'], 300],
    )
    assert.equal(headers.get('cache-control'), 'no-store')
    const now = Math.floor(service.clock.now() / 1_000)
    const { payload, protectedHeader } = await check(json.id_token)
    const { sid, auth_time, ...claims } = payload
    const [user] = await tenant.users()
    assert.deepEqual(claims, {
      role: 'admin',
      plan: 'free',
      teams: ['a'],
      iss: `${service.baseUrl}/edge/auth/${tenant.id}`,
      sub: `${tenant.id}|1`,
      aud: 'app',
      iat: now,
      exp: now + 300,
      email: user?.email,
      email_verified: true,
      name: 'Ada Lovelace',
      picture: user?.picture,
    })
    assert.ok(Math.abs(Number(auth_time) - signedInAt) <= 60, 'the time of the sign-in')
    assert.match(String(sid), /^[\w-]{43}$/)
    assert.deepEqual(Object.keys(protectedHeader), ['alg', 'kid', 'typ'])
    assert.equal(
      (await check((await ask({ audience: 'neon' })).json.id_token, 'neon')).payload.aud,
      'neon',
    )
    assert.deepEqual(problemPaths(await ask({ audience: 'other' })), ['audience'])
    for (const file of ['openid-configuration', 'jwks.json']) {
      assert.equal((await discover(file)).headers.get('cache-control'), 'public, max-age=600')
    }
    assert.deepEqual(
      await tenant.eventKinds(),
      ['login_started', 'authorize'],
      'an ID token is no event',
    )
  })

  // proves C205
  test(`[${engine}] id_tokens is null at first, null switches off, and invalid settings change nothing`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ask } = await signedIn(service)
    const read = async () => (await tenant.manage('GET', SETTINGS)).json.id_tokens
    const assertOff = async () => {
      assert.equal(await read(), null)
      assertApiError(await ask(), 'idTokensOff')
    }
    await assertOff()
    await switchOn(tenant, { audiences: ['https://api.example.com', '!'.repeat(200)] })
    const on = { audiences: ['https://api.example.com', '!'.repeat(200)], claims: {} }
    assert.deepEqual([await read(), (await ask()).status], [on, 200])
    const refused: [object | string, string][] = [
      [{ audiences: [] }, 'id_tokens.audiences'],
      [{ audiences: Array(11).fill('a') }, 'id_tokens.audiences'],
      [{ audiences: ['x'.repeat(201)] }, 'id_tokens.audiences[0]'],
      [{ audiences: ['two words'] }, 'id_tokens.audiences[0]'],
      [{ audiences: [''] }, 'id_tokens.audiences[0]'],
      [{ audiences: ['a'], claims: { sub: '1' } }, 'id_tokens.claims.sub'],
      [{ audiences: ['a'], claims: { role: { a: 1 } } }, 'id_tokens.claims.role'],
      [{ audiences: ['a'], issuer: 'b' }, 'id_tokens.issuer'],
      ['convex', 'id_tokens'],
    ]
    for (const [id_tokens, path] of refused) {
      assert.deepEqual(problemPaths(await tenant.manage('PATCH', SETTINGS, { id_tokens })), [path])
    }
    assert.deepEqual(await read(), on)
    await tenant.manage('PATCH', SETTINGS, { id_tokens: null })
    await assertOff()
  })

  // proves C206
  test(`[${engine}] the same ID token is returned until a minute before its end, then one with the changed claims`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, ask, check } = await signedIn(service)
    await switchOn(tenant)
    const first = (await ask()).json
    await tenant.manage('PUT', CLAIMS, { claims: { role: 'admin' } })
    service.clock.advance({ seconds: 239 })
    assert.deepEqual((await ask()).json, { id_token: first.id_token, expires_in: 61 })
    assert.notEqual((await ask({ audience: 'neon' })).json.id_token, first.id_token)
    service.clock.advance({ seconds: 1 })
    const second = (await ask()).json
    assert.deepEqual(
      [second.expires_in, (await check(second.id_token)).payload.role],
      [300, 'admin'],
    )
    const sids = await Promise.all(
      [first, second].map(async ({ id_token }) => (await check(id_token)).payload.sid),
    )
    assert.equal(sids[0], sids[1])
  })

  // proves C207, S015, S115
  test(`[${engine}] an ID token never ends after its access token, and a spent, ended or expired one gets none`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, pair, ask, check } = await signedIn(service)
    await switchOn(tenant)
    service.clock.advance({ minutes: 56 })
    const late = (await ask()).json
    assert.ok(late.expires_in < 300 && late.expires_in > 60, String(late.expires_in))
    const next = await tenant.refresh(pair.refresh_token)
    assertApiError(await ask(), 'invalidAccessToken')
    assert.equal(
      (await ask({}, next.access_token)).json.id_token,
      late.id_token,
      'the same session',
    )
    await tenant.edge('logout', { refresh_token: next.refresh_token })
    assertApiError(await ask({}, next.access_token), 'invalidAccessToken')
    await check(late.id_token)
    service.clock.advance({ minutes: 60 })
    assertApiError(await ask({}, next.access_token), 'invalidAccessToken')
    await assert.rejects(check(late.id_token), { code: 'ERR_JWT_EXPIRED' })
  })

  // proves C212, S120
  test(`[${engine}] a new master key is published an hour before it signs ID tokens, on every instance alike`, async (t) => {
    const [one, two] = [1, 2].map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`)
    const before = await world(t, { engine, env: { SERVICE_KEYS: `${one}` } })
    const { tenant, pair } = await signedIn(before)
    await switchOn(tenant)
    const look = async (service: World) => {
      const there = tenant.at(service.agent)
      const published = await service.agent.call(
        'GET',
        `/edge/auth/${tenant.id}/.well-known/jwks.json`,
      )
      const keys = published.json.keys.filter(({ alg }: { alg: string }) => alg === 'ES256')
      const session = await there.refresh(pairs.at(-1)?.refresh_token ?? '')
      pairs.push(session)
      const { id_token } = (await there.edge('id-token', { access_token: session.access_token }))
        .json
      const { protectedHeader } = await jwtVerify(id_token, createLocalJWKSet({ keys }), {
        currentDate: new Date(service.clock.now()),
      })
      return { keys: keys.map(({ kid }: { kid: string }) => kid), signs: protectedHeader.kid }
    }
    const pairs = [{ refresh_token: pair.refresh_token, access_token: '' }]
    before.clock.advance({ hours: 2 })
    const [old] = (await look(before)).keys
    await before.stop()
    // The order of the keys is that of the two steps of a rotation: the first instance is still at the first one.
    const first = await world(t, { like: before, env: { SERVICE_KEYS: `${one},${two}` } })
    before.clock.advance({ minutes: 30 })
    const second = await world(t, { like: before, env: { SERVICE_KEYS: `${two},${one}` } })
    const during = await look(first)
    const [, added] = during.keys
    assert.deepEqual(during, { keys: [old, added], signs: old })
    before.clock.advance({ minutes: 5 })
    assert.deepEqual(await look(second), during)
    before.clock.advance({ minutes: 25 })
    for (const service of [first, second]) {
      assert.deepEqual(await look(service), { keys: [old, added], signs: added })
      before.clock.advance({ minutes: 5 })
    }
    before.clock.advance({ minutes: 50 })
    assert.deepEqual(await look(second), { keys: [added], signs: added })
  })
}

// proves C211, S015, S113
test('two tenants with the same audience: the keys of one refuse the tokens of the other', async (t) => {
  const service = await world(t, { through: 'port' })
  const [a, b] = [await signedIn(service), await signedIn(service)]
  for (const { tenant } of [a, b]) {
    await switchOn(tenant, { audiences: ['shared'] })
  }
  const remote = (id: string) =>
    createRemoteJWKSet(new URL(`${service.agent.baseUrl}/edge/auth/${id}/.well-known/jwks.json`))
  const currentDate = new Date(service.clock.now())
  const { id_token } = (await a.ask()).json
  assert.equal(
    (await jwtVerify(id_token, remote(a.tenant.id), { currentDate })).payload.sub,
    `${a.tenant.id}|1`,
  )
  // A verifier that checks neither issuer nor audience.
  await assert.rejects(jwtVerify(id_token, remote(b.tenant.id), { currentDate }), {
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  })
  const [header = '', ...rest] = id_token.split('.')
  const { keys } = (await b.discover('jwks.json')).json
  const { kid } = keys.find(({ alg }: { alg: string }) => alg === 'ES256')
  const renamed = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), kid }
  const forged = [Buffer.from(JSON.stringify(renamed)).toString('base64url'), ...rest].join('.')
  await assert.rejects(jwtVerify(forged, remote(b.tenant.id), { currentDate }), {
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  })
})

// proves S121
test('a session may request 60 ID tokens a minute; other sessions are not affected', {
  skip: slow,
}, async (t) => {
  const service = await world(t)
  const { tenant, ask } = await signedIn(service)
  const other = await tenant.signIn(service.browser(), 'Grace Hopper')
  await switchOn(tenant)
  for (let asked = 0; asked < 60; asked++) {
    assert.equal((await ask({ audience: 'neon' })).status, 200)
  }
  assert.deepEqual(assertApiError(await ask(), 'rateLimited'), {
    window: 'minute',
    limit: 60,
    left: 0,
  })
  assert.equal((await ask({}, other.access_token)).status, 200)
  service.clock.advance({ minutes: 1 })
  assert.equal((await ask()).status, 200)
  const unlimited = await world(t, { like: service, env: { DEV_UNLIMITED: '1' } })
  const there = tenant.at(unlimited.agent)
  for (let asked = 0; asked <= 60; asked++) {
    assert.equal((await there.edge('id-token', { access_token: other.access_token })).status, 200)
  }
})

test('a session or a tenant that another instance has just ended gets no ID token', async (t) => {
  const service = await world(t)
  const { tenant, ask } = await signedIn(service)
  await switchOn(tenant)
  assert.equal((await ask()).status, 200)
  // As if the session had ended there, and its revocation had not arrived here.
  await raw(databaseOf(service), 'delete from sessions')
  assertApiError(await ask({ audience: 'neon' }), 'invalidAccessToken')
  // As if the pause had arrived here, and the tenant had been read before.
  const until = service.clock.now() + 60_000
  service.app.ctx.revocations.apply({ kind: 'tenant-paused', tenantId: tenant.id, until })
  assertApiError(await ask(), 'tenantPaused')
})

test('ID tokens need a running tenant with social login; a pause keeps the keys published', async (t) => {
  const service = await world(t)
  const { tenant, ask, discover } = await signedIn(service)
  await switchOn(tenant)
  assert.deepEqual(problemPaths(await discover('jwks.json?a=1&a=2')), ['a'])
  assert.deepEqual(problemPaths(await discover('openid-configuration?a=1&a=2')), ['a'])
  for (const file of ['jwks.json', 'openid-configuration']) {
    assertApiError(await discover(file, 'unknown-unknown-unknown-22222'), 'tenantNotFound')
  }
  await service.app.ctx.stores.tenants.pause(tenant.id, 'lifetime_events', service.clock.now())
  assertApiError(await ask(), 'tenantPaused')
  assert.deepEqual(
    [(await discover('jwks.json')).status, (await discover('openid-configuration')).status],
    [200, 200],
  )
  const bare = await service.agent.createTenant(null)
  assertApiError(await bare.edge('id-token', { access_token: 'x' }), 'notProvisioned')
  for (const file of ['jwks.json', 'openid-configuration']) {
    assertApiError(await discover(file, bare.id), 'notProvisioned')
  }
  service.clock.advance({ hours: 72 })
  for (const file of ['jwks.json', 'openid-configuration']) {
    assertApiError(await discover(file), 'tenantExpired')
  }
  assertApiError(await ask(), 'tenantExpired')
})
