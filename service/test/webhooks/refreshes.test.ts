import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outbox } from '../../src/operations/webhooks/outbox.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

// Refreshes are the most frequent events: an endpoint that does not want them must not make them slower (decision 52).

for (const engine of ENGINES) {
  test(`[${engine}] a refresh reads no history for endpoints that want other events`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url)
    await tenant.signIn(browser())
    const page = t.mock.method(app.ctx.stores.events, 'page')
    const outbox = new Outbox(app.ctx)
    const look = async () => (await outbox.next(() => false)).length
    assert.equal(await look(), 1, 'the first round looks at every endpoint')
    assert.equal(page.mock.callCount(), 1)

    outbox.wake(tenant.id, ['token_refreshed'])
    assert.equal(await look(), 0)
    assert.equal(page.mock.callCount(), 1)

    outbox.wake(tenant.id, ['token_refreshed'])
    outbox.wake(tenant.id, ['authorize'])
    assert.equal(await look(), 1, 'the sign-in still waits')
    assert.equal(page.mock.callCount(), 2)
    assert.equal(await look(), 0, 'nothing has happened since')
    assert.equal(page.mock.callCount(), 2)
  })

  test(`[${engine}] an endpoint that wants token_refreshed gets each refresh`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    await addWebhook(tenant, app1.url, ['social_login.token_refreshed'])
    const pair = await tenant.signIn(browser())
    await app.deliver()
    assert.deepEqual(app1.ids(), [], 'a sign-in is no refresh')

    const refreshed = await tenant.edge('refresh', { refresh_token: pair.refresh_token })
    assert.equal(refreshed.status, 200)
    await app.deliver()
    assert.deepEqual(app1.ids(), [`msg_${tenant.id}_3`])
    assert.equal(app1.received[0]?.body.type, 'social_login.token_refreshed')
  })
}
