import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BODY_MAX_BYTES, NewTenant, readCredentialsFile, SCOPES } from '@gatehouse-auth/contract'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { accountOf, newGuest, tokenFor } from '../support/actors/grants.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const PATH = '/api/mcp/bootstrap'

for (const engine of ENGINES) {
  // proves C002, C033
  test(`[${engine}] an agent with an account grant creates an owned tenant, and a repeated call returns the same tenant`, async (t) => {
    const here = await world(t, { engine })
    const key = await tokenFor(here, await accountOf(here), { scopes: ['mcp:tenants:create'] })
    const body = { confirmed: true, idempotency_key: 'local-app_1' }
    const created = await here.agent.call('POST', PATH, { key, body })
    assert.equal(created.status, 201, created.text)
    const view = NewTenant.parse(created.json)
    assert.deepEqual(
      [view.status, view.tenant_lifecycle, view.expires_at],
      ['claimed', 'claimed', null],
    )
    const file = readCredentialsFile(view.credentials_file.content)
    assert.ok(file.ok && file.credentials.coh_management_key === view.coh_management_key)
    const again = await here.agent.call('POST', PATH, { key, body })
    assert.deepEqual([again.status, again.json], [200, created.json])
    // As if the first call had been committed after this one looked for it.
    t.mock.method(here.app.ctx.stores.creations, 'find', async () => null, { times: 1 })
    const concurrent = await here.agent.call('POST', PATH, { key, body })
    assert.deepEqual([concurrent.status, concurrent.json], [200, created.json])

    const status = await here.agent.call('GET', '/api/status', { key: view.coh_management_key })
    assert.deepEqual([status.json.status, status.json.tier], ['claimed', 'free'])
    here.clock.advance({ hours: 100 })
    assert.equal(
      (await here.agent.call('GET', '/api/status', { key: view.coh_management_key })).json.status,
      'claimed',
    )
  })

  test(`[${engine}] a deleted tenant is not created again under the same idempotency key`, async (t) => {
    const here = await world(t, { engine })
    const account = await accountOf(here)
    const key = await tokenFor(here, account)
    const bootstrap = () =>
      here.agent.call('POST', PATH, {
        key,
        body: { confirmed: true, idempotency_key: 'local-app_3' },
      })
    const created = await bootstrap()
    assert.equal(created.status, 201, created.text)
    const tenant = await here.app.ctx.stores.tenants.find(created.json.tenant_id)
    assert.ok(tenant !== null)
    await endTenant(here.app.ctx, tenant, 'deleted')
    assertApiError(await bootstrap(), 'tenantExpired')
    assert.deepEqual(await here.app.ctx.stores.ownership.ownedBy(account.accountId), [])
  })
}

// proves C077
test('bootstrap requires an account grant, the create scope and confirmed: true', async (t) => {
  const here = await world(t)
  const account = await accountOf(here)
  const validToken = await tokenFor(here, account)
  const bootstrap = (
    key: string | undefined,
    body: unknown = { confirmed: true, idempotency_key: 'local-app_2' },
  ) => here.agent.call('POST', PATH, { body, ...(key === undefined ? {} : { key }) })

  const anonymous = await bootstrap(undefined)
  assertApiError(anonymous, 'missingCredentials')
  assert.equal(
    anonymous.headers.get('www-authenticate'),
    `Bearer resource_metadata="${here.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="${SCOPES.join(' ')}"`,
  )
  const tenant = await here.agent.createTenant(null)
  for (const wrong of ['garbage', tenant.key, tenant.applicationKey, `${validToken}x`]) {
    const response = await bootstrap(wrong)
    assertApiError(response, 'invalidAccessToken')
    assert.match(
      response.headers.get('www-authenticate') ?? '',
      /^Bearer error="invalid_token".*resource_metadata=/,
    )
  }
  assertApiError(await bootstrap(await tokenFor(here, newGuest(here).subject)), 'accountRequired')
  const reader = await tokenFor(here, account, { scopes: ['mcp:tenant:read'] })
  const lacking = await bootstrap(reader)
  assertApiError(lacking, 'insufficientScope')
  assert.match(lacking.headers.get('www-authenticate') ?? '', /scope="mcp:tenants:create"/)

  for (const [body, path] of [
    [{ idempotency_key: 'local-app_2' }, 'confirmed'],
    [{ confirmed: false, idempotency_key: 'local-app_2' }, 'confirmed'],
    [{ confirmed: 'true', idempotency_key: 'local-app_2' }, 'confirmed'],
    [{ confirmed: true }, 'idempotency_key'],
    [{ confirmed: true, idempotency_key: 'short' }, 'idempotency_key'],
    [{ confirmed: true, idempotency_key: 'local-app_2', more: 1 }, 'more'],
  ] as const) {
    assert.deepEqual(problemPaths(await bootstrap(validToken, body)), [path])
  }
  const bare = {
    key: validToken,
    body: 'confirmed=true',
    headers: { 'Content-Type': 'text/plain' },
  }
  assertApiError(await here.agent.call('POST', PATH, bare), 'unsupportedMediaType')
  assertApiError(await bootstrap(validToken, `"${'x'.repeat(BODY_MAX_BYTES)}"`), 'bodyTooLarge')
  assert.equal((await here.app.ctx.stores.ownership.ownedBy(account.accountId)).length, 0)
  const retired = await tokenFor(here, account, { resource: `${here.baseUrl}/mcp/manage` })
  assertApiError(await bootstrap(retired), 'invalidAccessToken')
})
