import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, provisionSocialLogin } from '@gatehouse/contract'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { assertToolError, RawMcpClient } from '../support/actors/mcp.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { isolationScene, type Scene } from './isolation-scene.ts'

const GONE: ReadonlySet<string> = new Set([
  ...['invalidCredentials', 'tenantExpired', 'tenantNotFound', 'missingCredentials', 'wrongKeyKind'],
  'invalidAccessToken',
])

/** Everything that the victim's tenants ever gave out, at every door. */
async function assertNothingOpens({ service, victim }: Scene): Promise<void> {
  const { agent } = service
  const { tenant, unclaimed, pair, edgeToken, claimRequest } = victim
  const bearers = [tenant.key, tenant.applicationKey, unclaimed.key, edgeToken, claimRequest.wait.token]
  for (const endpoint of (ENDPOINTS as readonly Endpoint[]).filter(({ auth }) => auth !== 'none')) {
    const { body } = endpoint.example
    const asked = bearers.map(async (key) => {
      const options = { key, ...(body === undefined ? {} : { body }) }
      const { status, json, text } = await agent.call(endpoint.method, pathOf(endpoint), options)
      const says = `${endpoint.id}: ${status} ${text}`
      // For a while its own key is told that it has ended, and whoever waits hears that there will be no decision.
      if (status === 200) assert.equal(json.status, 'expired', says)
      else assert.ok(GONE.has(json.error.code), says)
    })
    await Promise.all(asked)
  }
  const { access_token, refresh_token } = pair
  for (const response of [
    await tenant.edge('verify', { access_token }),
    await tenant.edge('refresh', { refresh_token }),
    await tenant.edge('logout', { refresh_token }),
    await agent.call('GET', `/edge/auth/${tenant.id}/google`),
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
  ]) {
    assert.ok(GONE.has(response.json.error.code), response.text)
  }
  const owner = service.browser()
  await owner.open(claimRequest.approval_url)
  assert.ok(owner.page.status === 410 || owner.page.status === 404, String(owner.page.status))
}

for (const engine of ENGINES) {
  test(`[${engine}] every credential of an ended tenant is rejected, and its user ids are not reused`, {
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
    await assertNothingOpens(scene)
    const wire = new RawMcpClient(agent)
    const revived = {
      tenant_id: victim.tenant.id,
      confirmed: true,
      resource: 'social-login',
      configuration: provisionSocialLogin.example.body,
    }
    await assertToolError(
      wire.call('provision_resource', revived, { token: victim.tokens.access_token }),
      'tenantExpired',
    )

    // Somebody else meets none of it: not a person, not a session, not a number.
    assert.ok(!JSON.stringify(await everyRow(service)).includes('person-of-victim'), 'nobody is left in any table')
    const fresh = await intruder.tenant.signIn(browser())
    assert.ok((await intruder.tenant.users()).every(({ id }) => id !== victim.userId))
    assert.equal(await intruder.tenant.isValid(fresh.access_token), true)
    assert.equal(await intruder.tenant.isValid(victim.pair.access_token), false)

    clock.advance({ days: 31 })
    await app.sweep()
    await assertNothingOpens(scene)
  })
}
