import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse, CallOptions } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { type World, world } from '../support/world.ts'

const ACTIONS = [
  ['verify', 'access_token'],
  ['refresh', 'refresh_token'],
  ['logout', 'refresh_token'],
  ['id-token', 'access_token'],
] as const

const post = (
  { agent }: World,
  tenantId: string,
  act: string,
  options: CallOptions,
): Promise<ApiResponse> => agent.call('POST', `/edge/auth/${tenantId}/${act}`, options)

/** An error is JSON for every Accept header and contains no token. */
function assertErrorOnly(response: ApiResponse): void {
  assert.ok(response.status >= 400 && response.status < 500, response.text)
  assert.deepEqual(Object.keys(response.json), ['error'])
}

for (const engine of ENGINES) {
  // proves C006, C142
  test(`[${engine}] verify, refresh and logout report an unknown, unprovisioned or expired tenant for any token, and all but logout a paused one`, async (t) => {
    const service = await world(t, { engine })
    const unprovisioned = await service.agent.createTenant(null)
    const tenant = await service.agent.createTenant()
    const pair = await tenant.signIn(service.browser())
    const paused = await service.agent.createTenant()
    const other = await paused.signIn(service.browser())
    await service.app.ctx.stores.tenants.pause(paused.id, 'stored_users', service.clock.now())
    const tokens = [
      'x',
      '',
      'a.b.c',
      pair.access_token,
      pair.refresh_token,
      other.access_token,
      other.refresh_token,
    ]
    const unknown = [
      'no-such-tenant',
      'nosuchtenant',
      tenant.id.toUpperCase(),
      `${tenant.id}x`,
      '%00',
      '..%2f',
      'ü',
    ]

    for (const [act, field] of ACTIONS) {
      for (const id of unknown) {
        assertApiError(await post(service, id, act, { body: { [field]: 'x' } }), 'tenantNotFound')
      }
      for (const token of tokens) {
        const body = { [field]: token }
        assertApiError(await post(service, 'no-such-tenant', act, { body }), 'tenantNotFound')
        assertApiError(await unprovisioned.edge(act, body), 'notProvisioned')
        const atPaused = await paused.edge(act, body)
        if (act === 'logout') {
          assert.deepEqual(atPaused.json, { success: true }, 'no pause rejects a logout')
        } else {
          assert.deepEqual(assertApiError(atPaused, 'tenantPaused'), {
            pause_reason: 'stored_users',
          })
        }
      }
    }
    service.clock.advance({ hours: 72 })
    for (const [act, field] of ACTIONS) {
      for (const token of tokens) {
        for (const ended of [tenant, unprovisioned, paused]) {
          assertApiError(await ended.edge(act, { [field]: token }), 'tenantExpired')
        }
      }
    }
    assertApiError(
      await service.agent.call('GET', `/edge/auth/${tenant.id}/google`),
      'tenantExpired',
    )
    const { status, seconds_left, usage } = await tenant.status()
    assert.deepEqual([status, seconds_left, usage.events_lifetime.used], ['expired', 0, 2])
  })

  // proves C157
  test(`[${engine}] a guest's tokens are valid until its 72 hours end`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const ends = Date.parse(tenant.created.expires_at ?? '')
    service.clock.advance({ ms: ends - service.clock.now() - 30 * 60_000 })
    const pair = await tenant.signIn(service.browser())
    service.clock.advance({ ms: ends - service.clock.now() - 1 })
    assert.equal(await tenant.isValid(pair.access_token), true)
    service.clock.advance({ ms: 1 })
    assertApiError(
      await tenant.edge('verify', { access_token: pair.access_token }),
      'tenantExpired',
    )
    assertApiError(
      await tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      'tenantExpired',
    )
    assertApiError(
      await tenant.edge('logout', { refresh_token: pair.refresh_token }),
      'tenantExpired',
    )
    assertApiError(await tenant.manage('GET', '/api/social-login/events'), 'tenantExpired')
  })
}

test('a body that is not a JSON object with a token is rejected with the path of the problem', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  for (const [act, field] of ACTIONS) {
    for (const [body, path] of [
      ['{', ''],
      ['{"a":1}}', ''],
      ["{'access_token': 'x'}", ''],
      ['access_token=x', ''],
      ['undefined', ''],
      ['[]', ''],
      [`[{"${field}":"x"}]`, ''],
      ['null', ''],
      ['"text"', ''],
      ['7', ''],
      ['{}', field],
      [`{"${field}":null}`, field],
      [`{"${field}":7}`, field],
      [`{"${field}":["x"]}`, field],
      [`{"${field}":{"toString":"x"}}`, field],
      [`{"${field.toUpperCase()}":"x"}`, field],
      [`{"${field}":"x","__proto__":{"a":1}}`, ''],
      [`{"${field}":"x","deep":{"constructor":{"prototype":1}}}`, ''],
      [`{"${field}":"x","deep":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, ''],
      [`{"${field}":${'['.repeat(30_000)}`, ''],
    ] as const) {
      const response = await post(service, tenant.id, act, {
        body,
        headers: { Accept: 'text/html' },
      })
      assert.deepEqual(problemPaths(response), [path], `${act} ${body.slice(0, 60)}`)
      assertErrorOnly(response)
    }
    assert.deepEqual(problemPaths(await post(service, tenant.id, act, {})), [''], 'no body')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/json', 'x']) {
      const options = { body: `{"${field}":"x"}`, headers: { 'Content-Type': type } }
      assertApiError(await post(service, tenant.id, act, options), 'unsupportedMediaType')
    }
  }
  assert.deepEqual(await tenant.eventKinds(), [])
  assert.ok(!service.logLines.join('').includes('"level":50'))
})

test('verify, refresh and logout ignore unknown fields, query parameters and the Accept header', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const pair = await tenant.signIn(service.browser())
  service.clock.advance({ minutes: 1 })
  const extra = { tenant_id: 'another', valid: true, nested: { a: [1, { b: null }] }, '': 0 }
  const options = (token: object): CallOptions => ({
    body: { ...extra, ...token },
    headers: { 'Content-Type': 'Application/JSON; charset=utf-8', Accept: 'text/html' },
  })
  const verified = await post(
    service,
    tenant.id,
    'verify?v=2&x=y',
    options({ access_token: pair.access_token }),
  )
  assert.equal(verified.json.valid, true)
  const refreshed = await post(
    service,
    tenant.id,
    'refresh?v=2',
    options({ refresh_token: pair.refresh_token }),
  )
  assert.deepEqual(Object.keys(refreshed.json), ['access_token', 'refresh_token'])
  const left = await post(
    service,
    tenant.id,
    'logout?v=2',
    options({ refresh_token: refreshed.json.refresh_token }),
  )
  assert.deepEqual(left.json, { success: true })
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'logout',
  ])
})

// proves S034
test('a body over 64 KiB is rejected with 413 and the connection is closed', async (t) => {
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant()
  for (const [act, field] of ACTIONS) {
    const lines = [
      `POST /edge/auth/${tenant.id}/${act} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
    ]
    const body = `{"${field}":"${'x'.repeat(65 * 1_024)}"}`
    const announced = await rawHttp(
      service.baseUrl,
      [...lines, `Content-Length: ${body.length}`],
      body,
    )
    const chunked = await rawHttp(
      service.baseUrl,
      [...lines, 'Transfer-Encoding: chunked'],
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    )
    // The service does not wait for a body that Content-Length already makes too large.
    const withheld = await rawHttp(service.baseUrl, [...lines, 'Content-Length: 1000000000'], '{')
    for (const response of [announced, chunked, withheld]) {
      assert.equal(response.status, 413, response.head)
      assert.match(response.head, /^connection: close$/im)
      assert.match(response.head, /^api-version: 1$/im)
      assert.equal(JSON.parse(response.body).error.code, 'bodyTooLarge')
    }
    const justFits = `{"${field}":"x","pad":"${'x'.repeat(65_536 - 22 - field.length)}"}`
    assert.ok(justFits.length <= 65_536 && justFits.length > 65_500)
    assert.ok((await post(service, tenant.id, act, { body: justFits })).status !== 413)
  }
  assert.deepEqual(await tenant.eventKinds(), [])
})

test('an invalid Idempotency-Key is rejected without consuming the refresh token', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const { refresh_token } = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  for (const key of ['short', '', 'x'.repeat(129), 'with a space', 'ünïcödé-key']) {
    const response = await tenant.edge('refresh', { refresh_token }, { 'Idempotency-Key': key })
    assert.deepEqual(response.json.error.details.problems[0].path, 'Idempotency-Key', key)
    assert.equal(response.status, 400)
  }
  await tenant.refresh(refresh_token)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})
