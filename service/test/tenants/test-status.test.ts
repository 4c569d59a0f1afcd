import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { CLIENT_ID, scriptedProvider } from '../support/faults/scripted-provider.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const setStatus = (tenant: Tenant, status: string) =>
  tenant.manage('POST', '/api/test-status', { status })

const TEST_ROUTES = [
  ['POST', '/api/social-login/test-sessions', { email: 'eve@example.com' }],
  ['POST', '/api/test-status', { status: 'expired' }],
  ['DELETE', '/api/social-login/users', undefined],
] as const

for (const engine of ENGINES) {
  // proves C395
  test(`[${engine}] a test pauses a guest: the app gets tenantPaused everywhere until the guest is claimed`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const { access_token, refresh_token } = await tenant.signIn(service.browser())
    for (let press = 0; press < 2; press++) {
      assert.deepEqual((await setStatus(tenant, 'paused')).json, {
        tenant_id: tenant.id,
        status: 'paused',
      })
    }
    const { status, pause_reason } = await tenant.status()
    assert.deepEqual([status, pause_reason], ['paused', 'lifetime_events'])
    assertApiError(await tenant.edge('verify', { access_token }), 'tenantPaused')
    assertApiError(await tenant.edge('refresh', { refresh_token }), 'tenantPaused')
    for (const [method, path, body] of TEST_ROUTES.filter(([, path]) =>
      path.includes('social-login'),
    )) {
      assertApiError(await tenant.manage(method, path, body), 'tenantPaused')
    }

    await claim(tenant, service.browser())
    assert.equal(await tenant.isValid(access_token), true)
    for (const status of ['paused', 'expired']) {
      assertApiError(await setStatus(tenant, status), 'alreadyClaimed')
    }
    assert.equal((await tenant.status()).status, 'claimed')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves C395
  test(`[${engine}] a test ends a guest: the app gets tenantExpired everywhere, and its data is gone`, async (t) => {
    const service = await world(t, { engine })
    const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
    const { access_token, refresh_token } = await tenant.signIn(service.browser())
    const request = await requestClaim(tenant)
    await setStatus(tenant, 'paused')
    assert.deepEqual((await setStatus(tenant, 'expired')).json, {
      tenant_id: tenant.id,
      status: 'expired',
    })
    assert.equal((await tenant.status()).status, 'expired')
    assertApiError(await tenant.edge('verify', { access_token }), 'tenantExpired')
    assertApiError(await tenant.edge('refresh', { refresh_token }), 'tenantExpired')
    for (const [method, path, body] of TEST_ROUTES) {
      assertApiError(await tenant.manage(method, path, body), 'tenantExpired')
    }
    assertApiError(await waitForClaim(tenant, request), 'invalidCredentials')
    assert.equal((await other.status()).status, 'ephemeral')
  })
}

// proves C398
test('with a real Google the endpoints for tests do not exist, and the OpenAPI document does not have them', {
  skip: slow,
}, async (t) => {
  const provider = await scriptedProvider(t)
  const service = await world(t, {
    through: 'port',
    env: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: provider.issuer,
    },
  })
  const tenant = await service.agent.createTenant()
  for (const [method, path, body] of TEST_ROUTES) {
    // Not by `manage`, which accepts only the documented responses of a development service.
    const response = await fetch(service.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    assert.equal(error.code, method === 'DELETE' ? 'methodNotAllowed' : 'unknownRoute')
    assert.doesNotMatch(`${error.message} ${response.headers.get('allow')}`, /test-|DELETE,/)
  }
  assert.equal((await tenant.status()).status, 'ephemeral')
  assert.deepEqual([await tenant.users(), await tenant.events()], [[], []])
  const tests = await service.agent.call('GET', '/openapi.json?tags=tests')
  assert.equal(tests.status, 400)
  assert.doesNotMatch(tests.json.error.message, /tests/)
  for (const path of ['/openapi.json', '/docs/api', '/docs/api.md', '/llms-full.txt']) {
    // The guide /docs/testing names the endpoints; a reference has an entry for each operation.
    assert.doesNotMatch(
      (await service.agent.call('GET', path)).text,
      /"setTestStatus"|#setTestStatus/,
      path,
    )
  }
})

test('a development service documents the endpoints for tests', async (t) => {
  const service = await world(t)
  const { paths } = (await service.agent.call('GET', '/openapi.json')).json
  for (const [method, path] of TEST_ROUTES) {
    assert.deepEqual(paths[path][method.toLowerCase()].tags, ['Tests'])
  }
  assert.match((await service.agent.call('GET', '/docs/api')).text, /#setTestStatus"/)
})
