import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mePaths } from '../../src/http/me/paths.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { openMe, pressOnMe, shownApp } from '../support/actors/me.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const REMOVALS = '/api/social-login/removals'
const removalsOf = async (tenant: Tenant, query = '') =>
  (await tenant.manage('GET', REMOVALS + query)).json.removals
const personActions = async (tenant: Tenant) =>
  (await tenant.manage('GET', '/api/audit')).json.actions
    .filter(({ actor }: { actor: string }) => actor === 'person')
    .map(({ action, target }: { action: string; target: string }) => `${action} ${target}`)

for (const engine of ENGINES) {
  // proves C348, S017
  test(`[${engine}] "Remove my data" asks the owner, who sees it on the project's page and by API; after 30 days the sweep deletes the user`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl, clock, app } = service
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner, 'Grace Hopper')
    const pair = await tenant.signIn(browser())
    await tenant.signIn(browser(), 'Grace Hopper')
    const requestedAt = new Date(clock.now())
    const ada = await openMe(browser(), baseUrl)
    assert.equal(await pressOnMe(ada, mePaths.remove, tenant.id), '/me?done=requested')
    assert.match(shownApp(ada, tenant.id) ?? '', /You asked to have your data removed.*in 30 days/)
    const removal = {
      user_id: 1,
      email: 'ada@example.com',
      requested_at: requestedAt.toISOString(),
      due_at: new Date(requestedAt.getTime() + 30 * 86_400_000).toISOString(),
    }
    assert.deepEqual(await removalsOf(tenant), [removal])
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/users`)
    assert.match(textOf(owner.page.text), /Removal requests.*ada@example\.com 1 just now/)
    assert.equal(await tenant.isValid(pair.access_token), true, 'the owner decides when')

    clock.advance({ days: 29 })
    await pressOnMe(await openMe(ada, baseUrl), mePaths.remove, tenant.id)
    assert.deepEqual(await removalsOf(tenant), [removal], 'the first request counts')
    await app.sweep()
    assert.equal((await tenant.users()).length, 2, 'not a day early')
    clock.advance({ days: 1, minutes: 1 })
    await app.sweep()
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['grace@example.com'],
    )
    assert.deepEqual(await removalsOf(tenant), [])
    assert.equal(await tenant.isValid(pair.access_token), false)
    assert.doesNotMatch(JSON.stringify(await tenant.events()), /ada@example/)
    assert.deepEqual(await personActions(tenant), [
      'user.removal_requested user:1',
      'user.deleted user:1',
    ])
    assert.equal((await tenant.status()).usage.stored_users.used, 1)
    assert.deepEqual((await everyRow(service)).removal_requests, [])
    await openMe(ada, baseUrl)
    assert.equal(shownApp(ada, tenant.id), null)
  })

  test(`[${engine}] a request whose tenant is gone stops no other`, { skip: slow }, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, baseUrl, clock, app } = here
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    await tenant.signIn(browser())
    await raw(
      databaseOf(here),
      `insert into removal_requests (resource_id, user_id, tenant_id, requested_at, request_id) values (99, 1, 'gone', 0, 'r')`,
    )
    await pressOnMe(await openMe(browser(), baseUrl), mePaths.remove, tenant.id)
    clock.advance({ days: 30, minutes: 1 })
    await app.sweep()
    assert.deepEqual(await tenant.users(), [])
  })

  // proves C348
  test(`[${engine}] the owner meets a removal request with the DELETE of the user, and the person's page no longer shows the app`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    await tenant.signIn(browser())
    const ada = await openMe(browser(), baseUrl)
    await pressOnMe(ada, mePaths.remove, tenant.id)
    assert.equal((await tenant.manage('DELETE', '/api/social-login/users/1')).status, 200)
    assert.deepEqual(await removalsOf(tenant), [])
    assert.deepEqual((await everyRow(service)).removal_requests, [])
    await ada.open(`${baseUrl}/me`)
    assert.equal(shownApp(ada, tenant.id), null)
    assert.equal(await pressOnMe(ada, mePaths.remove, tenant.id), '/me?done=deleted')
  })

  // proves C348
  test(`[${engine}] a person withdraws the request and keeps their data`, async (t) => {
    const { agent, browser, baseUrl, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    await tenant.signIn(browser())
    const ada = await openMe(browser(), baseUrl)
    await pressOnMe(ada, mePaths.remove, tenant.id)
    assert.equal(await pressOnMe(ada, mePaths.keep, tenant.id), '/me?done=kept')
    assert.match(shownApp(ada, tenant.id) ?? '', /Remove my data/)
    assert.deepEqual(await removalsOf(tenant), [])
    clock.advance({ days: 31 })
    await app.sweep()
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await personActions(tenant), [
      'user.removal_requested user:1',
      'user.removal_withdrawn user:1',
    ])
  })

  // proves C348
  test(`[${engine}] a request that is withdrawn while the sweep removes others is not met: the person keeps user and sessions`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    await tenant.signIn(browser())
    await pressOnMe(await openMe(browser(), baseUrl), mePaths.remove, tenant.id)
    clock.advance({ days: 31 })
    const { access_token } = await tenant.signIn(browser())
    const ada = await openMe(browser(), baseUrl)
    const { removals } = app.ctx.stores
    const { listDue } = removals
    let listed = 0
    t.mock.method(removals, 'listDue', async (...args: Parameters<typeof listDue>) => {
      const due = await listDue(...args)
      listed += due.length
      await pressOnMe(ada, mePaths.keep, tenant.id)
      return due
    })
    await app.sweep()
    assert.equal(listed, 1)
    assert.equal((await tenant.users()).length, 1)
    assert.equal(await tenant.isValid(access_token), true)
    assert.deepEqual(await personActions(tenant), [
      'user.removal_requested user:1',
      'user.removal_withdrawn user:1',
    ])
  })

  // proves C348
  test(`[${engine}] a guest tenant has no owner, so "Remove my data" deletes the user at once, also while it is paused`, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl } = service
    const [running, paused] = [await agent.createTenant(), await agent.createTenant()]
    const pair = await running.signIn(browser())
    await paused.signIn(browser())
    await paused.manage('POST', '/api/test-status', { status: 'paused' })
    const ada = await openMe(browser(), baseUrl)
    for (const { id } of [running, paused]) {
      assert.equal(await pressOnMe(ada, mePaths.remove, id), '/me?done=deleted')
      assert.equal(shownApp(ada, id), null)
    }
    assert.equal(await running.isValid(pair.access_token), false)
    assert.deepEqual(await running.users(), [])
    const rows = await everyRow(service)
    assert.deepEqual([rows.users, rows.sessions, rows.removal_requests], [[], [], []])
    assert.doesNotMatch(JSON.stringify(rows.events), /ada@example/)
    assert.deepEqual(
      (await running.events())
        .filter(({ event }) => event === 'logout')
        .map(({ metadata, email }) => [metadata, email]),
      [[{ reason: 'person' }, null]],
    )
    assert.deepEqual(await personActions(running), ['user.deleted user:1'])
  })

  // proves C348
  test(`[${engine}] removal requests are listed in pages, and end with the social login`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const { agent, browser, baseUrl } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    for (const user of ['Ada Lovelace', 'Grace Hopper']) {
      await tenant.signIn(browser(), user)
      await pressOnMe(await openMe(browser(), baseUrl, user), mePaths.remove, tenant.id)
    }
    const first = await tenant.manage('GET', `${REMOVALS}?limit=1`)
    assert.deepEqual(
      first.json.removals.map(({ user_id }: { user_id: number }) => user_id),
      [1],
    )
    assert.equal(first.headers.get('link'), `<${baseUrl}${REMOVALS}?after=1&limit=1>; rel="next"`)
    const second = await tenant.manage('GET', `${REMOVALS}?after=1&limit=1`)
    assert.deepEqual(
      second.json.removals.map(({ email }: { email: string }) => email),
      ['grace@example.com'],
    )
    assert.equal(second.headers.get('link'), null)
    await tenant.manage('DELETE', '/api/resources/social-login')
    assertApiError(await tenant.manage('GET', REMOVALS), 'notProvisioned')
    assert.deepEqual((await everyRow(service)).removal_requests, [])
  })
}

test('eleven changes of removal requests in a minute are too many: the audit of an owner is not filled', async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser(), 'Grace Hopper')
  await tenant.signIn(browser())
  const ada = await openMe(browser(), baseUrl)
  for (let change = 0; change < 5; change += 1) {
    await pressOnMe(ada, mePaths.remove, tenant.id)
    await pressOnMe(ada, mePaths.keep, tenant.id)
  }
  assert.equal(await pressOnMe(ada, mePaths.remove, tenant.id), mePaths.home)
  assert.equal(ada.page.status, 429)
  assert.equal((await personActions(tenant)).length, 10)
  assert.deepEqual(await removalsOf(tenant), [])
})
