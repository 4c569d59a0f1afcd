import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] at a guest's stored-user limit existing users sign in, and a new user pauses it`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const first = await tenant.signIn(service.browser(), 'Ada Lovelace')
    await service.app.ctx.stores.counters.spend(
      { scope: `tenant:${tenant.id}`, window: 'users', start: 0 },
      999,
      null,
    )
    const again = await tenant.signIn(service.browser(), 'Ada Lovelace')
    service.clock.advance({ minutes: 1 })
    const userBrowser = service.browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Grace Hopper')
    await userBrowser.press('Continue')
    assert.deepEqual(
      [userBrowser.page.status, userBrowser.page.headers.get('location')],
      [403, null],
    )
    assert.match(userBrowser.page.text, /paused/)
    const { status, pause_reason, usage } = await tenant.status()
    assert.deepEqual(
      [status, pause_reason, usage.stored_users.used],
      ['paused', 'stored_users', 1_000],
    )
    assert.equal(usage.events_lifetime.used, 5, 'two logins and one start')
    for (const { access_token } of [first, again]) {
      const response = await tenant.edge('verify', { access_token })
      assert.deepEqual(assertApiError(response, 'tenantPaused'), { pause_reason: 'stored_users' })
    }
  })

  // proves C161
  test(`[${engine}] a guest is paused instead of storing its 1001st user`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const counter = { scope: `tenant:${tenant.id}`, window: 'users', start: 0 } as const
    await service.app.ctx.stores.counters.spend(counter, 1_000, null)
    const userBrowser = service.browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    await userBrowser.press('Continue')
    assert.equal(userBrowser.page.status, 403)
    const status = await tenant.status()
    assert.deepEqual([status.status, status.pause_reason], ['paused', 'stored_users'])
    for (const path of ['/api/social-login/users', '/api/resources', '/api/social-login/events']) {
      const rejected = await tenant.manage('GET', path)
      assert.deepEqual([rejected.status, rejected.json.error.code], [403, 'tenantPaused'], path)
      assert.deepEqual(rejected.json.error.details, { pause_reason: 'stored_users' })
    }
    assert.equal(
      (await tenant.manage('POST', '/api/feedback/service', { feedback: 'help' })).status,
      200,
    )
    assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 200)
    assert.equal((await tenant.manage('DELETE', '/api/resources/social-login')).status, 200)
  })
}
