import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TENANT_TABLES } from '../../src/storage/tenants/ownership.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { type World, world } from '../support/world.ts'

const remove = (tenant: Tenant): Promise<ApiResponse> =>
  tenant.manage('DELETE', '/api/resources/social-login')
const DELETED = { success: true, resource: 'social-login', status: 'deleted' }

/** The tables of social login that have rows of this tenant. */
async function filledTables(here: World, tenant: Tenant): Promise<string[]> {
  const rows = await everyRow(here)
  const ofSocialLogin = Object.entries(TENANT_TABLES).filter(
    ([, removedWith]) => removedWith === 'resource' || removedWith === 'social login',
  )
  return ofSocialLogin
    .map(([table]) => table)
    .filter((table) => rows[table]?.some(({ tenant_id }) => tenant_id === tenant.id))
}

for (const engine of ENGINES) {
  // proves C038, C048
  test(`[${engine}] re-provisioning keeps users, sessions and events`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const pair = await tenant.signIn(browser())
    const [users, kinds] = [await tenant.users(), await tenant.eventKinds()]
    await tenant.provision(['https://other.example.com/callback'])

    assert.deepEqual([await tenant.users(), await tenant.eventKinds()], [users, kinds])
    assert.equal(await tenant.isValid(pair.access_token), true)
    clock.advance({ minutes: 1 })
    const next = await tenant.refresh(pair.refresh_token)
    assert.equal(await tenant.isValid(next.access_token), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  test(`[${engine}] deleting social login removes its webhooks and refusals: the next app's users reach no earlier endpoint`, async (t) => {
    const here = await world(t, { engine })
    const tenant = await here.agent.createTenant()
    const otherTenant = await here.agent.createTenant()
    const former = await receiver(t)
    for (const each of [tenant, otherTenant]) {
      await addWebhook(each, former.url)
      await here.agent.call(
        'GET',
        `/edge/auth/${each.id}/google?redirect_uri=https://unknown.example/`,
      )
    }
    await remove(tenant)
    assert.deepEqual(await filledTables(here, tenant), [])
    await tenant.provision(['https://next.example.com/callback'])
    await tenant.signIn(here.browser())
    await here.app.deliver()

    assert.deepEqual(former.received, [])
    assert.deepEqual((await tenant.manage('GET', '/api/webhooks')).json, { webhooks: [] })
    assert.deepEqual((await tenant.manage('GET', '/api/social-login/refusals')).json.refusals, [])
    assert.equal((await otherTenant.manage('GET', '/api/webhooks')).json.webhooks.length, 1)
    assert.equal(
      (await otherTenant.manage('GET', '/api/social-login/refusals')).json.refusals.length,
      1,
    )
  })

  // proves C039, C046
  test(`[${engine}] deleting social login removes users, sessions, events and callback URLs, invalidates tokens and is idempotent`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, clock } = here
    const tenant = await agent.createTenant()
    const otherTenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Alan Turing')
    clock.advance({ hours: 25 })
    await here.app.sweep()
    const pair = await tenant.signIn(browser())
    const other = await otherTenant.signIn(browser())
    const inFlight = browser()
    await inFlight.open(tenant.loginUrl)
    await inFlight.press('Grace Hopper')
    const filled = await filledTables(here, tenant)
    for (const table of ['resources', 'users', 'sessions', 'events', 'day_tallies']) {
      assert.ok(filled.includes(table), table)
    }

    for (let again = 0; again < 3; again++) {
      const response = await remove(tenant)
      assert.deepEqual([response.status, response.json], [200, DELETED])
    }
    assert.deepEqual(await filledTables(here, tenant), [], 'no row is left')
    for (const path of ['users', 'users/1', 'events', 'events?wait=1']) {
      assertApiError(await tenant.manage('GET', `/api/social-login/${path}`), 'notProvisioned')
    }
    assert.deepEqual((await tenant.manage('GET', '/api/resources')).json, { resources: [] })
    assertApiError(
      await tenant.edge('verify', { access_token: pair.access_token }),
      'notProvisioned',
    )
    assertApiError(
      await tenant.edge('refresh', { refresh_token: pair.refresh_token }),
      'notProvisioned',
    )
    assertApiError(
      await tenant.edge('logout', { refresh_token: pair.refresh_token }),
      'notProvisioned',
    )
    assertApiError(await tenant.edge('verify', { access_token: 'garbage' }), 'notProvisioned')
    assertApiError(await agent.call('GET', `/edge/auth/${tenant.id}/google`), 'notProvisioned')
    await inFlight.press('Continue')
    assert.equal(inFlight.page.status, 410, 'a login in progress ends with its resource')
    assert.equal(inFlight.page.headers.get('location'), null)

    const { usage, resources } = await tenant.status()
    assert.deepEqual(resources, [])
    assert.deepEqual(
      [usage.stored_users.used, usage.events_lifetime.used],
      [0, 5],
      'a deletion does not reset the event counter',
    )
    assert.equal(await otherTenant.isValid(other.access_token), true)
    assert.deepEqual(await otherTenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves S007
  test(`[${engine}] provisioning after a deletion starts empty: old tokens stay invalid and ids are not reused`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const before = await tenant.signIn(browser())
    const [oldUser] = await tenant.users()
    const oldEvents = await tenant.events()
    await remove(tenant)
    await tenant.provision(['https://app.example.com/callback'])

    assert.deepEqual([await tenant.users(), await tenant.eventKinds()], [[], []])
    assert.equal(await tenant.isValid(before.access_token), false)
    await tenant.assertRefreshRejected(before.refresh_token, 'invalidRefreshToken')
    assert.equal((await tenant.edge('logout', { refresh_token: before.refresh_token })).status, 200)
    assertApiError(
      await tenant.manage('GET', `/api/social-login/users/${oldUser?.id}`),
      'userNotFound',
    )

    const after = await tenant.signIn(browser())
    const [newUser] = await tenant.users()
    assert.ok((newUser?.id ?? 0) > (oldUser?.id ?? 0), 'the same subject gets a new user id')
    const [first] = await tenant.events()
    assert.ok((first?.id ?? 0) > (oldEvents.at(-1)?.id ?? 0))
    assert.equal(await tenant.isValid(after.access_token), true)
    assert.equal(await tenant.isValid(before.access_token), false)
    clock.advance({ minutes: 1 })
    await tenant.refresh(after.refresh_token)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
    const { usage } = await tenant.status()
    assert.deepEqual([usage.stored_users.used, usage.events_lifetime.used], [1, 5])
  })

  test(`[${engine}] deleting a resource that was never provisioned succeeds and counts no event`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant(null)
    const response = await remove(tenant)
    assert.deepEqual([response.status, response.json], [200, DELETED])
    assert.equal((await tenant.status()).usage.events_lifetime.used, 0)
  })
}
