import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, provisionSocialLogin } from '@gatehouse-auth/contract'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { assertToolError, RawMcpClient } from '../support/actors/mcp.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'
import { isolationScene, type Scene } from './isolation-scene.ts'

const REJECTIONS: ReadonlySet<string> = new Set([
  ...[
    'invalidCredentials',
    'tenantExpired',
    'tenantNotFound',
    'missingCredentials',
    'wrongKeyKind',
  ],
  'invalidAccessToken',
])

/** Sends every credential of the victim's tenants to every endpoint. */
async function assertCredentialsRejected({ service, victim }: Scene): Promise<void> {
  const { agent } = service
  const { tenant, unclaimed, pair, edgeToken, claimRequest } = victim
  const bearers = [
    tenant.key,
    tenant.applicationKey,
    unclaimed.key,
    edgeToken,
    claimRequest.wait.token,
  ]
  for (const endpoint of (ENDPOINTS as readonly Endpoint[]).filter(({ auth }) => auth !== 'none')) {
    const { body, params } = endpoint.example
    const calls = bearers.map(async (key) => {
      const options = { key, ...(body === undefined ? {} : { body }) }
      const { status, json, text } = await agent.call(
        endpoint.method,
        pathOf(endpoint, params),
        options,
      )
      const what = `${endpoint.id}: ${status} ${text}`
      // For 30 days status and wait report `expired` to the tenant's own credentials.
      if (status === 200) {
        assert.equal(json.status, 'expired', what)
      } else {
        assert.ok(REJECTIONS.has(json.error.code), what)
      }
    })
    await Promise.all(calls)
  }
  const { access_token, refresh_token } = pair
  for (const response of [
    await tenant.edge('verify', { access_token }),
    await tenant.edge('refresh', { refresh_token }),
    await tenant.edge('logout', { refresh_token }),
    await agent.call('GET', `/edge/auth/${tenant.id}/google`),
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
  ]) {
    assert.ok(REJECTIONS.has(response.json.error.code), response.text)
  }
  const owner = service.browser()
  await owner.open(claimRequest.approval_url)
  assert.ok(owner.page.status === 410 || owner.page.status === 404, String(owner.page.status))
}

for (const engine of ENGINES) {
  // proves ASVS 7.4.2
  test(`[${engine}] every credential of an ended tenant is rejected, and another tenant gets none of its users`, {
    skip: slow,
  }, async (t) => {
    const scene = await isolationScene(t, engine)
    const { service, victim, intruder } = scene
    const { agent, app, clock, browser } = service
    for (const { id } of [victim.tenant, victim.unclaimed]) {
      const ending = await app.ctx.stores.tenants.find(id)
      assert.ok(ending !== null)
      await endTenant(app.ctx, ending, 'deleted')
    }
    await assertCredentialsRejected(scene)
    const wire = new RawMcpClient(agent)
    const provisioning = {
      tenant_id: victim.tenant.id,
      confirmed: true,
      resource: 'social-login',
      configuration: provisionSocialLogin.example.body,
    }
    await assertToolError(
      wire.call('provision_resource', provisioning, { token: victim.tokens.access_token }),
      'tenantExpired',
    )

    // Another tenant gets no user or session of the ended one.
    assert.ok(
      !JSON.stringify(await everyRow(service)).includes('person-of-victim'),
      'no table contains a user of the ended tenant',
    )
    await intruder.tenant.manage('PATCH', '/api/social-login/settings', { allowed_emails: [] })
    const fresh = await intruder.tenant.signIn(browser())
    assert.equal(await intruder.tenant.isValid(fresh.access_token), true)
    assert.equal(await intruder.tenant.isValid(victim.pair.access_token), false)

    clock.advance({ days: 31 })
    await app.sweep()
    await assertCredentialsRejected(scene)
  })
}

test('a tenant that is ended is no longer cached, and leaves no request records and an action in the audit', async (t) => {
  const { agent, app, clock } = await world(t)
  const { ctx } = app
  const { id } = await agent.createTenant()
  const allowsApp = () => ctx.directory.allowsOrigin(id, 'https://app.example.com')
  assert.equal(await allowsApp(), true)
  const record = {
    tenantId: id,
    at: clock.now(),
    method: 'GET',
    route: '/',
    status: 200,
    ms: 1,
    requestId: 'request',
  }
  await ctx.stores.requestRecords.append([record])

  const tenant = (await ctx.stores.tenants.find(id)) ?? assert.fail('it exists')
  await endTenant(ctx, tenant, 'deleted', { actor: 'person', requestId: 'request' })
  await assert.rejects(allowsApp(), { code: 'notProvisioned' })
  assert.deepEqual(await ctx.stores.requestRecords.recent([id], 0, 10), [])
  const [last] = await ctx.stores.audit.recent(id, 1)
  assert.deepEqual([last?.action, last?.actor, last?.at], ['tenant.deleted', 'person', clock.now()])
})
