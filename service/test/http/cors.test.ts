import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@gatehouse-auth/contract'
import { Unavailable } from '../../src/domain/api-error.ts'
import type { ApiResponse } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'

const CALLBACKS = [
  'https://app.example.com/cb',
  'https://*.preview.example.com/cb',
  'http://localhost/cb',
  'http://127.0.0.1:3000/cb',
]
const ALLOWED = [
  'https://app.example.com',
  'https://pr-7.preview.example.com',
  'http://localhost',
  'http://localhost:5173',
  'http://127.0.0.1:3000',
]
const FOREIGN = [
  'https://evil.example',
  'https://example.com',
  'https://evilapp.example.com',
  'https://app.example.com.evil.example',
  'https://preview.example.com',
  'https://a.b.preview.example.com',
  'https://*.preview.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com:443',
  'https://app.example.com/',
  'HTTPS://APP.EXAMPLE.COM',
  'https://localhost:5173',
  'http://127.0.0.1:3001',
  'http://localhost.evil.example',
  'null',
  '*',
  '',
  'file://',
  'https://app.example.com, https://evil.example',
]

const corsHeaders = ({ headers }: ApiResponse): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const preflightHeaders = (origin: string): Record<string, string> => ({
  Origin: origin,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type, idempotency-key',
})

for (const engine of ENGINES) {
  test(`[${engine}] CORS: allowed origins follow changes of the callback list immediately`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant(CALLBACKS)
    const allowed = async (origin: string): Promise<boolean> =>
      (
        await agent.call('OPTIONS', `/edge/auth/${tenant.id}/verify`, {
          headers: preflightHeaders(origin),
        })
      ).headers.has('access-control-allow-origin')
    assert.deepEqual(
      [await allowed('https://app.example.com'), await allowed('https://new.example.com')],
      [true, false],
    )
    await tenant.provision(['https://new.example.com/cb'])
    assert.deepEqual(
      [await allowed('https://app.example.com'), await allowed('https://new.example.com')],
      [false, true],
    )
    await tenant.manage('DELETE', '/api/resources/social-login')
    assert.equal(await allowed('https://new.example.com'), false)
    for (const id of ['no-such-tenant', '%00', 'x']) {
      const preflight = await agent.call('OPTIONS', `/edge/auth/${id}/verify`, {
        headers: preflightHeaders('https://a.example'),
      })
      assert.deepEqual([preflight.status, corsHeaders(preflight)], [204, []])
    }
  })

  test(`[${engine}] a callback list that changes while it is read is not cached`, async (t) => {
    const { agent, app, clock } = await world(t, { engine })
    const { id } = await agent.createTenant(CALLBACKS)
    const { directory, stores } = app.ctx
    const reading = directory.requireProvisioned(id)
    directory.invalidate(id)
    assert.deepEqual((await reading).callbackUrls, CALLBACKS)
    await stores.resources.provision(id, ['https://new.example.com/cb'], clock.now())
    assert.deepEqual((await directory.requireProvisioned(id)).callbackUrls, [
      'https://new.example.com/cb',
    ])
  })
}

// proves S033
test('CORS: pages of the app can call token, verify, refresh, logout, id-token and link and read every response', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant(CALLBACKS)
  const { access_token } = await tenant.signIn(
    browser(),
    'Ada Lovelace',
    '?redirect_uri=http://localhost/cb',
  )
  for (const origin of ALLOWED) {
    for (const act of ['token', 'verify', 'refresh', 'logout', 'id-token', 'link'] as const) {
      const preflight = await agent.call('OPTIONS', `/edge/auth/${tenant.id}/${act}`, {
        headers: preflightHeaders(origin),
      })
      assert.deepEqual([preflight.status, preflight.text], [204, ''])
      assert.deepEqual(
        ['origin', 'methods', 'headers', 'credentials'].map((name) =>
          preflight.headers.get(`access-control-allow-${name}`),
        ),
        [origin, 'POST', 'Content-Type, Idempotency-Key', null],
      )
      assert.match(preflight.headers.get('access-control-max-age') ?? '', /^\d+$/)
      assert.equal(preflight.headers.get('vary'), 'Origin')
      assert.equal(preflight.headers.get('api-version'), '1')
    }
    const verified = await tenant.edge('verify', { access_token }, { Origin: origin })
    assert.equal(verified.json.valid, true)
    const rejected = await tenant.edge('refresh', { refresh_token: 'x' }, { Origin: origin })
    assertApiError(rejected, 'invalidRefreshToken')
    const malformed = await tenant.edge('logout', '{', { Origin: origin })
    assertApiError(malformed, 'invalidRequest')
    const large = await tenant.edge(
      'verify',
      { access_token: 'x'.repeat(70_000) },
      { Origin: origin },
    )
    assertApiError(large, 'bodyTooLarge')
    for (const response of [verified, rejected, malformed, large]) {
      assert.equal(response.headers.get('access-control-allow-origin'), origin)
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /X-Request-Id/)
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
      assert.equal(response.headers.get('vary'), 'Origin')
    }
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})

test('CORS: every page can read discovery and the keys of ID tokens, also why there are none', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(CALLBACKS)
  const id_tokens = { audiences: ['app'] }
  await tenant.manage('PATCH', '/api/social-login/settings', { id_tokens })
  for (const file of ['openid-configuration', 'jwks.json']) {
    for (const [id, status] of [
      [tenant.id, 200],
      ['swift-fox-running-00000', 404],
    ] as const) {
      const headers = { Origin: 'https://anywhere.example' }
      const path = `/edge/auth/${id}/.well-known/${file}`
      const response = await agent.call('GET', path, { headers })
      assert.equal(response.status, status)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.equal(response.headers.has('access-control-allow-credentials'), false)

      const preflight = await agent.call('OPTIONS', path, { headers })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET')
    }
  }
})

test('CORS: other origins get the same response without CORS headers', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant(CALLBACKS)
  const { access_token } = await tenant.signIn(browser())
  for (const origin of FOREIGN) {
    const preflight = await agent.call('OPTIONS', `/edge/auth/${tenant.id}/verify`, {
      headers: preflightHeaders(origin),
    })
    const response = await tenant.edge('verify', { access_token }, { Origin: origin })
    for (const each of [preflight, response]) {
      assert.deepEqual(corsHeaders(each), [], origin)
      assert.equal(each.headers.get('vary'), 'Origin')
    }
    assert.equal(
      response.json.valid,
      true,
      'the response is the same; only the browser withholds it from the page',
    )
  }
  const server = await tenant.edge('verify', { access_token })
  assert.deepEqual([corsHeaders(server), server.headers.get('vary')], [[], 'Origin'])
})

// proves S033
test('CORS: pages of the app can list its providers, and those of other origins cannot', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(CALLBACKS)
  const path = `/edge/auth/${tenant.id}/providers`
  const allowed = await agent.call('GET', path, {
    headers: { Origin: 'https://app.example.com' },
  })
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example.com')
  const preflight = await agent.call('OPTIONS', path, {
    headers: preflightHeaders('https://app.example.com'),
  })
  assert.deepEqual(
    [preflight.headers.get('access-control-allow-methods'), preflight.headers.get('allow')],
    ['GET', 'GET, HEAD, OPTIONS'],
  )
  const foreign = await agent.call('GET', path, { headers: { Origin: 'https://evil.example' } })
  assert.deepEqual(corsHeaders(foreign), [])
})

// proves S033, S038
test('CORS: no origin can call the control API, the pages or any other endpoint', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(CALLBACKS)
  const origin = 'https://app.example.com'
  const open = [
    'exchangeLoginCode',
    'verifyAccessToken',
    'refreshSession',
    'logOut',
    'createIdToken',
    'linkIdentity',
    'listLoginProviders',
    'readOpenIdConfiguration',
    'readJwks',
  ]
  for (const endpoint of ENDPOINTS.filter(({ id }) => !open.includes(id))) {
    const path = pathOf(endpoint, { tenantId: tenant.id })
    const preflight = await agent.call('OPTIONS', path, { headers: preflightHeaders(origin) })
    const response = await agent.call(endpoint.method, path, {
      headers: { Origin: origin, 'User-Agent': 'curl' },
    })
    assert.deepEqual([corsHeaders(preflight), corsHeaders(response)], [[], []], endpoint.id)
  }
  // The front page and the documentation are public documents.
  for (const path of [
    '/me',
    '/status',
    '/account',
    '/healthz',
    '/readyz',
    '/auth/consent/x',
    '/nothing',
  ]) {
    assert.deepEqual(
      corsHeaders(await agent.call('GET', path, { headers: { Origin: origin } })),
      [],
      path,
    )
  }
})

test('while the database is out of reach, CORS allows no origin and a paused tenant is still reported', async (t) => {
  const { agent, browser, app, clock } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  await app.ctx.stores.tenants.pause(tenant.id, 'stored_users', clock.now())
  const away = () => Promise.reject(new Unavailable('away'))
  for (const name of ['allowsOrigin', 'requireProvisioned'] as const) {
    t.mock.method(app.ctx.directory, name, away)
  }
  const headers = { Origin: 'https://app.example.com' }
  const preflight = await agent.call('OPTIONS', `/edge/auth/${tenant.id}/verify`, { headers })
  assert.deepEqual(
    [preflight.status, preflight.headers.get('access-control-allow-origin')],
    [204, null],
  )
  assertApiError(await tenant.edge('verify', { access_token }), 'tenantPaused')
})
