import assert from 'node:assert/strict'
import { test } from 'node:test'
import { USER_MESSAGES, WEBHOOK_TYPES } from '@gatehouse-auth/contract'
import { Client } from 'pg'
import { mePaths } from '../../src/http/me/paths.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { openMe, pressOnMe } from '../support/actors/me.ts'
import { ownedTenant } from '../support/actors/providers.ts'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { expectedSignature, receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

const USERS = '/api/social-login/users'
const signIn = (tenant: Tenant, body: object) =>
  tenant.manage('POST', '/api/social-login/test-sessions', body)

for (const engine of ENGINES) {
  // proves C304
  test(`[${engine}] an endpoint gets a message when a user is created, changes, asks to be removed and is deleted; the history stays without it`, async (t) => {
    const service = await world(t, { engine })
    const { app, agent, browser, baseUrl, clock } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Grace Hopper')
    const app1 = await receiver(t)
    const { secret, path } = await addWebhook(tenant, app1.url, USER_MESSAGES)
    const next = async () => {
      await app.deliver()
      const [message, ...others] = app1.received.splice(0)
      assert.deepEqual(others, [])
      return message
    }

    await tenant.signIn(browser())
    const createdAt = new Date(clock.now()).toISOString()
    const created = await next()
    const { user } = (
      await tenant.manage('GET', `${USERS}/1?include=metadata,claims,blocked,identities`)
    ).json
    assert.equal(user.identities[0].provider, 'google')
    assert.deepEqual(created?.body, {
      type: 'user.created',
      timestamp: createdAt,
      data: { tenant_id: tenant.id, user, removal_due_at: null },
    })
    assert.equal(
      created?.headers['webhook-signature'],
      created && expectedSignature(secret, created),
    )
    await tenant.signIn(browser())
    assert.equal(await next(), undefined, 'the same person with the same profile')

    clock.advance({ minutes: 1 })
    await signIn(tenant, { email: 'ada@example.com', name: 'Ada King' })
    const updated = await next()
    assert.deepEqual(
      [updated?.body.type, updated?.body.data.user.name],
      ['user.updated', 'Ada King'],
    )
    assert.notEqual(updated?.headers['webhook-id'], created?.headers['webhook-id'])

    const ada = await openMe(browser(), baseUrl)
    for (const end_sessions of [false, true]) {
      await tenant.manage('PUT', `${USERS}/1/claims`, { claims: { role: 'admin' }, end_sessions })
      const claimed = await next()
      assert.deepEqual(
        [claimed?.body.type, claimed?.body.data.user.claims],
        ['user.updated', { role: 'admin' }],
      )
    }
    const due = new Date(clock.now() + 30 * 86_400_000).toISOString()
    await pressOnMe(ada, mePaths.remove, tenant.id)
    const requested = await next()
    assert.deepEqual(
      [requested?.body.type, requested?.body.data.removal_due_at],
      ['user.removal_requested', due],
    )
    await pressOnMe(ada, mePaths.keep, tenant.id)
    const withdrawn = await next()
    assert.deepEqual(
      [withdrawn?.body.type, withdrawn?.body.data.removal_due_at],
      ['user.updated', null],
    )

    await tenant.manage('DELETE', `${USERS}/1`)
    const deleted = await next()
    assert.deepEqual(deleted?.body.data, {
      tenant_id: tenant.id,
      user: { id: 1, email: 'ada@example.com' },
    })
    assert.equal(deleted?.body.type, 'user.deleted')

    assert.ok((await tenant.eventKinds()).every((kind) => !kind.includes('.')))
    const rows = await everyRow(service)
    assert.deepEqual(rows.webhook_messages, [], 'nothing of a user stays behind')
    assert.doesNotMatch(JSON.stringify([rows.webhooks, rows.webhook_attempts]), /ada@example/)
    const { deliveries } = (await tenant.manage('GET', `${path}/deliveries`)).json
    assert.deepEqual(
      deliveries.map(({ type, event_id }: { type: string; event_id: null }) => [type, event_id]),
      [
        'user.created',
        ...['user.updated', 'user.updated', 'user.updated'],
        ...['user.removal_requested', 'user.updated', 'user.deleted'],
      ].map((type) => [type, null]),
    )
    const sent = new Set(deliveries.map(({ type }: { type: string }) => type))
    assert.deepEqual([...sent].sort(), [...USER_MESSAGES].sort(), 'every message was sent')
  })

  // proves C304
  test(`[${engine}] an endpoint that did not ask for messages about users gets none, and nothing is stored for it`, async (t) => {
    const service = await world(t, { engine })
    const { app, agent, browser } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const [app1, app2] = [await receiver(t), await receiver(t)]
    const { path } = await addWebhook(tenant, app1.url)
    const deletions = await addWebhook(tenant, app2.url, ['user.deleted'])
    await tenant.signIn(browser())
    assert.deepEqual((await everyRow(service)).webhook_messages, [])
    await app.deliver()
    assert.deepEqual(
      app1.received.map(({ body }) => body.type),
      ['social_login.authorize'],
    )
    assert.deepEqual(app2.ids(), [])

    // Chosen later: from now on. No longer chosen: what waits goes.
    assert.equal(
      (await tenant.manage('PATCH', path, { events: USER_MESSAGES })).status,
      200,
      'nothing is unwanted',
    )
    await tenant.manage('PATCH', path, { events: ['user.created'] })
    await tenant.manage('DELETE', `${USERS}/1`)
    await tenant.manage('PATCH', deletions.path, { events: ['social_login.logout'] })
    assert.deepEqual((await everyRow(service)).webhook_messages, [])
    await tenant.signIn(browser(), 'Grace Hopper')
    await app.deliver()
    assert.deepEqual(app2.received, [])
    const { type, data } = app1.received.at(-1)?.body ?? {}
    assert.deepEqual([app1.received.length, type, data.user.id], [2, 'user.created', 2])
  })

  // proves S062
  test(`[${engine}] a message that fails is sent again with the same id; a change meanwhile makes it a new one, and a deletion leaves only user.deleted`, async (t) => {
    const service = await world(t, { engine })
    const { app, agent, browser, clock } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url, USER_MESSAGES)
    app1.answer = 503
    await signIn(tenant, { email: 'eve@example.com', name: 'Eve' })
    await app.deliver()
    clock.advance({ minutes: 1 })
    await app.deliver()
    const [first, again] = app1.ids()
    assert.equal(app1.received.length, 2)
    assert.equal(first, again)

    await signIn(tenant, { email: 'eve@example.com', name: 'Eve A.' })
    await signIn(tenant, { email: 'eve@example.com', name: 'Eve B.' })
    const waiting = (await everyRow(service)).webhook_messages ?? []
    assert.deepEqual(
      waiting.map(({ kind, version }) => [kind, Number(version)]),
      [
        ['user.created', 1],
        ['user.updated', 2],
      ],
    )
    assert.doesNotMatch(
      JSON.stringify(waiting),
      /eve@/,
      'a row names the user, and has no data of theirs',
    )
    await tenant.manage('DELETE', `${USERS}/1`)
    app1.answer = 200
    app1.received.length = 0
    clock.advance({ minutes: 2 })
    await app.deliver()
    assert.deepEqual(
      app1.received.map(({ body }) => [body.type, body.data.user]),
      [['user.deleted', { id: 1, email: 'eve@example.com' }]],
    )
    assert.equal((await webhookOf(tenant, path)).failing_since, null)
    assert.deepEqual((await everyRow(service)).webhook_messages, [])
  })

  // proves S062
  test(`[${engine}] a message for a disabled endpoint waits 30 days, then its row goes`, async (t) => {
    const service = await world(t, { engine })
    const { app, agent, browser, clock } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url, ['user.deleted'])
    await tenant.manage('PATCH', path, { status: 'disabled' })
    for (const name of ['Ada Lovelace', 'Grace Hopper']) {
      await tenant.signIn(browser(), name)
    }
    await tenant.manage('DELETE', `${USERS}/1`)
    clock.advance({ days: 29 })
    await tenant.manage('DELETE', `${USERS}/2`)
    await app.sweep()
    assert.equal((await everyRow(service)).webhook_messages?.length, 2)
    clock.advance({ days: 1, minutes: 1 })
    await app.sweep()
    await tenant.manage('PATCH', path, { status: 'active' })
    await app.deliver()
    assert.deepEqual(
      app1.received.map(({ body }) => body.data.user.email),
      ['grace@example.com'],
    )
  })

  test(`[${engine}] an import tells each created user, and a rejected or known one not`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url, ['user.created'])
    const row = (subject: string) => JSON.stringify({ subject, email: `${subject}@example.com` })
    const body = [row('a'), row('b'), row('a'), '{"subject":"c"}'].join('\n')
    const headers = { 'Content-Type': 'application/x-ndjson' }
    await agent.call('POST', '/api/social-login/import', { key: tenant.key, body, headers })
    await app.deliver()
    assert.deepEqual(app1.received.map(({ body: { data } }) => data.user.email).sort(), [
      'a@example.com',
      'b@example.com',
    ])
  })
}

// proves C306
test('the names of a filter are the types of the deliveries', async (t) => {
  const { app, agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser())
  const app1 = await receiver(t)
  const { path } = await addWebhook(tenant, app1.url, WEBHOOK_TYPES)
  assert.deepEqual((await webhookOf(tenant, path)).events, WEBHOOK_TYPES)
  const pair = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  await tenant.edge('logout', await tenant.refresh(pair.refresh_token))
  await tenant.manage('DELETE', `${USERS}/1`)
  await app.deliver()
  const types = app1.received.map(({ body }) => body.type)
  assert.deepEqual(new Set(types).isSubsetOf(new Set(WEBHOOK_TYPES)), true)
  assert.equal(new Set(types).size, 5, types.join(' '))
  for (const name of ['authorize', 'user_created', 'webhook.test']) {
    assertApiError(await tenant.manage('PATCH', path, { events: [name] }), 'invalidRequest')
  }
})

// proves S062
test('an endpoint that is deleted while a message for it is written leaves no message', {
  skip: sqliteOnly,
}, async (t) => {
  const service = await world(t, { engine: 'postgres' })
  const { tenant } = await ownedTenant(service)
  const { path, id } = await addWebhook(tenant, 'https://app.example.com/hook', ['user.deleted'])
  const { json } = await tenant.manage('POST', '/api/social-login/test-sessions', {
    email: 'ada@example.com',
  })
  const url = service.config.databaseUrl ?? ''
  const waiting = (query: string) => async () => {
    const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '${query}'`
    return (await raw({ engine: 'postgres', url }, sql)).length === 1
  }
  // Holds the insert of the message for a moment, as a busy disk does.
  const busy = new Client(url)
  await busy.connect()
  t.after(() => busy.end())
  await busy.query(`begin; insert into webhook_messages (tenant_id, webhook_id, user_id, kind, version, at_ms, attempt, due_at)
    values ('${tenant.id}', '${id}', ${json.user.id}, 'user.deleted', 1, 1, 0, 1)`)
  const deleting = tenant.manage('DELETE', `/api/social-login/users/${json.user.id}`)
  await waitUntil('the message waits', waiting('insert into "webhook_messages"%'))
  const removing = tenant.manage('DELETE', path)
  await Promise.race([
    removing,
    waitUntil('the deletion waits for it', waiting('delete from "webhooks"%')),
  ])
  await busy.query('rollback')
  for (const { status } of await Promise.all([deleting, removing])) {
    assert.ok(status < 300)
  }
  const { webhooks, webhook_messages } = await everyRow(service)
  assert.deepEqual([webhooks, webhook_messages], [[], []])
})
