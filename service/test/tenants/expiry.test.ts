import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { claim, requestClaim } from '../support/actors/claim.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { guest } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] the sweep does not end an expired guest that was claimed meanwhile`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const overdue = await app.ctx.stores.tenants.find(tenant.id)
    assert.ok(overdue)
    await claim(tenant, browser())
    clock.advance({ hours: 72 })
    await endTenant(app.ctx, overdue, 'overdue')
    assert.equal((await tenant.status()).status, 'claimed')
    assert.equal((await tenant.users()).length, 1)
    assert.equal(
      (await tenant.edge('verify', { access_token })).json.valid,
      false,
      'only the access token itself has expired',
    )
  })

  // proves C031, C157
  test(`[${engine}] a guest ends after 72 hours, its data is deleted, and 30 days later it is unknown`, async (t) => {
    const { agent, browser, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { access_token } = await tenant.signIn(browser())
    const claimRequest = await requestClaim(tenant)
    clock.advance({ hours: 72 })
    const { status, claim, next_limit } = await tenant.status()
    assert.deepEqual(
      { status, claim, next_limit },
      { status: 'expired', claim: null, next_limit: null },
      'an expired guest cannot be claimed, and reaches no limit',
    )
    assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 410)
    assert.equal((await tenant.edge('verify', { access_token })).json.error.code, 'tenantExpired')
    await app.sweep()
    await app.sweep()
    assert.equal((await tenant.edge('verify', { access_token })).json.error.code, 'tenantExpired')
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    assert.equal(
      (await tenant.call('GET', '/api/wait?timeout=0', claimRequest.wait.token)).status,
      401,
    )
    clock.advance({ days: 29, hours: 23 })
    await app.sweep()
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    clock.advance({ hours: 2 })
    await app.sweep()
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 401)
    assert.equal((await tenant.edge('verify', { access_token: 'x' })).status, 404)
  })

  // proves C377
  test(`[${engine}] one sweep ends all expired guests and deletes all old tombstones, more than fit into a step`, {
    skip: slow,
  }, async (t) => {
    const { clock, app } = await world(t, { engine })
    const { stores, now, profile } = app.ctx
    const createdAt = now()
    await stores.transaction(async (open) => {
      for (let n = 0; n < 251; n++) {
        await open.tenants.create(
          guest(`guest-${n}`, profile, { createdAt, expiresAt: createdAt }),
          [],
        )
      }
    })
    await app.sweep()
    assert.deepEqual(await stores.ownership.listOverdue(now(), 10), [])
    clock.advance({ days: 31 })
    assert.equal((await stores.ownership.listTombstones(now(), 300)).length, 251)
    await app.sweep()
    assert.deepEqual(await stores.ownership.listTombstones(now(), 10), [])
  })
}

// proves C043
test('the email addresses of an expired guest’s users are in no database file afterwards', async (t) => {
  const { agent, browser, clock, app, config } = await world(t)
  const tenant = await agent.createTenant()
  await tenant.signIn(browser(), 'Grace Hopper')
  const unfinished = browser()
  clock.advance({ minutes: 1 })
  await unfinished.open(tenant.loginUrl)
  await unfinished.press('Alan Turing')
  const filesWith = (text: string): string[] =>
    readdirSync(config.dataDir).filter((file) =>
      readFileSync(path.join(config.dataDir, file)).includes(text),
    )
  assert.notDeepEqual(filesWith('grace@example.com'), [])
  assert.notDeepEqual(filesWith('alan@example.com'), [])

  clock.advance({ hours: 72 })
  await app.sweep()
  for (const deleted of ['grace@example.com', 'alan@example.com', 'Grace Hopper']) {
    assert.deepEqual(filesWith(deleted), [], deleted)
  }
})
