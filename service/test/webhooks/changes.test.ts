import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_REPLAY_COUNT_MAX } from '@gatehouse-auth/contract'
import { OutcomeUnknown } from '../../src/domain/api-error.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

const PATH = '/api/webhooks'
const URL = 'https://app.example.com/webhooks'
const KEYS = { old: `1:${'A'.repeat(43)}`, new: `2:${'B'.repeat(43)}` }

for (const engine of ENGINES) {
  test(`[${engine}] an endpoint that fails starts anew when it is enabled or gets another URL, and by no other change`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    app1.answer = 500
    const { path } = await addWebhook(tenant, app1.url, ['social_login.authorize'])
    await tenant.signIn(browser())
    await app.deliver()
    const since = new Date(clock.now()).toISOString()
    const changed = async (change: object) =>
      (await tenant.manage('PATCH', path, change)).json.webhook.failing_since
    const events = ['social_login.authorize', 'social_login.logout']
    assert.deepEqual(
      [await changed({ events }), await changed({ status: 'disabled' })],
      [since, since],
    )
    assert.equal(await changed({ status: 'active' }), null)
    clock.advance({ minutes: 10 })
    await app.deliver()
    assert.notEqual((await webhookOf(tenant, path)).failing_since, null)
    assert.equal(await changed({ url: `${app1.url}/2` }), null)
  })

  test(`[${engine}] an event that waits is sent after a change of kinds, also if it is the last one`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url, ['social_login.authorize'])
    await tenant.signIn(browser())
    await tenant.manage('PATCH', path, {
      events: ['social_login.authorize', 'social_login.logout'],
    })
    await app.deliver()
    assert.deepEqual(app1.ids(), [`msg_${tenant.id}_2`])
  })

  test(`[${engine}] without a social login an endpoint can be changed, and has nothing to send again`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    await tenant.manage('DELETE', '/api/resources/social-login')
    const { path } = await addWebhook(tenant, URL)
    const { status, text } = await tenant.manage('PATCH', path, {
      events: ['social_login.authorize'],
    })
    assert.equal(status, 200, text)
    for (const body of [{ after: 0 }, { event_ids: [2] }]) {
      assert.equal((await tenant.manage('POST', `${path}/replay`, body)).json.deliveries, 0)
    }
  })

  test(`[${engine}] an endpoint that gets only messages about users has no event to send again, and those that wait go`, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    app1.answer = 500
    const { path } = await addWebhook(tenant, app1.url)
    await tenant.signIn(browser())
    await app.deliver()
    assert.equal((await webhookOf(tenant, path)).waiting_retries, 1)
    app1.answer = 200
    for (let change = 0; change < 2; change++) {
      assert.equal(
        (await tenant.manage('PATCH', path, { events: ['user.created'], status: 'active' })).status,
        200,
      )
    }
    for (const body of [{ after: 0 }, { event_ids: [2] }]) {
      const { status, text, json } = await tenant.manage('POST', `${path}/replay`, body)
      assert.deepEqual([status, json.deliveries], [200, 0], text)
    }
    clock.advance({ minutes: 10 })
    await app.deliver()
    assert.equal((await webhookOf(tenant, path)).waiting_retries, 0)
    await tenant.signIn(browser(), 'Grace Hopper')
    await app.deliver()
    assert.deepEqual(
      app1.received.slice(1).map(({ body }) => body.type),
      ['user.created'],
    )
  })

  test(`[${engine}] a range that holds no sent event is not kept, and one that is still being sent is extended`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { path } = await addWebhook(tenant, app1.url)
    for (let signIn = 0; signIn < 3; signIn++) {
      await tenant.signIn(browser())
    }
    await app.deliver()
    await tenant.manage('PATCH', path, { status: 'disabled' })
    const replay = async (body: object) => {
      const { webhook, deliveries } = (await tenant.manage('POST', `${path}/replay`, body)).json
      return [webhook.replay, deliveries]
    }
    assert.deepEqual(await replay({ after: 6 }), [null, 0])
    assert.deepEqual(await replay({ after: 7 }), [null, 0])
    assert.deepEqual(await replay({ after: 3, until: 4 }), [{ after: 3, until: 4 }, 1])
    assert.deepEqual(await replay({ after: 7 }), [{ after: 3, until: 4 }, 1])
    assert.deepEqual(await replay({ after: 5 }), [{ after: 3, until: 6 }, 2])
    assert.deepEqual(await replay({ after: 0, until: 2 }), [{ after: 0, until: 6 }, 3])
  })

  test(`[${engine}] the last page of deliveries names no next one, also if it is full`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { path } = await addWebhook(tenant, (await receiver(t)).url)
    for (let sent = 0; sent < 3; sent++) {
      await tenant.manage('POST', `${path}/test`)
    }
    const linkAfter = async (after: number) =>
      (await tenant.manage('GET', `${path}/deliveries?after=${after}&limit=2`)).headers.get(
        'link',
      ) ?? ''
    assert.match(await linkAfter(0), /after=2&limit=2>; rel="next"/)
    assert.doesNotMatch(await linkAfter(1), /rel="next"/)
  })

  test(`[${engine}] after a rotation of the master key an Idempotency-Key of before returns the same endpoint and secret`, async (t) => {
    const first = await world(t, { engine, env: { SERVICE_KEYS: KEYS.old } })
    const { key } = await first.agent.createTenant()
    const create = ({ agent }: typeof first, name: string) =>
      agent.call('POST', PATH, { key, body: { url: URL }, headers: { 'Idempotency-Key': name } })
    const created = await create(first, 'the-first-key')
    assert.equal(created.status, 201, created.text)
    await first.stop()
    const second = await world(t, { like: first, env: { SERVICE_KEYS: `${KEYS.new},${KEYS.old}` } })
    assert.deepEqual((await create(second, 'the-first-key')).json, created.json)
    assertApiError(await create(second, 'a-second-key'), 'webhookLimit')
  })
}

test('a creation that is sent again is refused if its secret can no longer be read', async (t) => {
  const { app, agent } = await world(t)
  const tenant = await agent.createTenant()
  const create = () =>
    agent.call('POST', PATH, {
      key: tenant.key,
      body: { url: URL },
      headers: { 'Idempotency-Key': 'the-first-key' },
    })
  const { id } = (await create()).json.webhook
  const sealed = new Uint8Array(64)
  await app.ctx.stores.transaction(({ webhooks }) =>
    webhooks.change({ tenantId: tenant.id, id }, { sealed }),
  )
  assertApiError(await create(), 'invalidRequest')
})

test('a creation whose outcome is unknown says what to do without an Idempotency-Key; with one it can be sent again', async (t) => {
  const { app, agent } = await world(t)
  const { key } = await agent.createTenant()
  const lost = () =>
    Promise.reject(new OutcomeUnknown({ cause: new Error('the connection ended') }))
  t.mock.method(app.ctx.stores, 'confirmedTransaction', lost)
  const messageOf = async (headers: Record<string, string>) =>
    (await agent.call('POST', PATH, { key, body: { url: URL }, headers })).json.error.message
  assert.match(await messageOf({}), /delete it if it is there, and add it again/)
  assert.doesNotMatch(await messageOf({ 'Idempotency-Key': 'the-first-key' }), /delete it/)
})

test('kinds that are chosen while an event of the kinds of before happens start now, and that event is sent', async (t) => {
  const { app, agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const app1 = await receiver(t)
  const { path } = await addWebhook(tenant, app1.url, ['social_login.logout'])
  await tenant.signIn(browser())
  const pair = await tenant.signIn(browser())
  await tenant.edge('logout', { refresh_token: pair.refresh_token })
  const { stores } = app.ctx
  const { transaction } = stores
  const between: typeof transaction = (work) =>
    transaction.call(stores, (inside) => {
      // The logout, 5, happens after the last id was read.
      t.mock.method(inside.eventCounts, 'lastEventId', async () => 4)
      return work(inside)
    }) as ReturnType<typeof work>
  t.mock.method(stores, 'transaction', between)
  const change = { events: ['social_login.logout', 'social_login.authorize'] }
  assert.equal((await tenant.manage('PATCH', path, change)).json.webhook.cursor, 4)
  await app.deliver()
  assert.deepEqual(app1.ids(), [`msg_${tenant.id}_5`])
})

test('the events that a replay sends are counted up to 100,000', { skip: slow }, async (t) => {
  const here = await world(t)
  const tenant = await here.agent.createTenant()
  const { id, path } = await addWebhook(tenant, URL)
  await tenant.signIn(here.browser())
  const until = WEBHOOK_REPLAY_COUNT_MAX + 2
  await here.app.ctx.stores.transaction(({ webhooks }) =>
    webhooks.change({ tenantId: tenant.id, id }, { cursor: until, disabledReason: 'owner' }),
  )
  await raw(
    databaseOf(here),
    `with recursive ids(n) as (select 3 union all select n + 1 from ids where n < ${until})
     insert into events (id, tenant_id, resource_id, event, metadata, created_at)
     select ids.n, tenant_id, resource_id, event, metadata, created_at from events, ids where events.id = 2`,
  )
  const count = async (after: number) =>
    (await tenant.manage('POST', `${path}/replay`, { after })).json.deliveries
  assert.deepEqual(
    [await count(4), await count(0)],
    [WEBHOOK_REPLAY_COUNT_MAX - 2, WEBHOOK_REPLAY_COUNT_MAX],
  )
})
