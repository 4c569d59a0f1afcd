import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
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
      assert.equal((await tenant.manage('PATCH', path, { events: ['user.created'], status: 'active' })).status, 200)
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
}
