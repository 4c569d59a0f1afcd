import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Endpoint,
  WEBHOOK_DELIVERY_ENDPOINTS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_RETRIES_MAX,
} from '@gatehouse-auth/contract'
import { assertApiError } from '../support/actors/api-error.ts'
import { addWebhook, webhookOf } from '../support/actors/webhooks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

const ENDPOINTS: readonly Endpoint[] = [...WEBHOOK_ENDPOINTS, ...WEBHOOK_DELIVERY_ENDPOINTS]
const ABSENT = { webhookId: 'wh_0000000000000000' }

test('every webhook endpoint needs the management key of an active tenant, and a valid request', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  for (const endpoint of ENDPOINTS) {
    const { method, example } = endpoint
    const path = pathOf(endpoint, ABSENT)
    const call = (key?: string, headers: Record<string, string> = {}, body = example.body) =>
      agent.call(method, path, {
        ...(key === undefined ? {} : { key }),
        headers,
        ...(body === undefined ? {} : { body }),
      })
    assertApiError(await call(), 'missingCredentials')
    assertApiError(await call(`${tenant.key.slice(0, -1)}~`), 'invalidCredentials')
    assertApiError(await call(tenant.applicationKey), 'wrongKeyKind')
    assertApiError(await tenant.manage(method, `${path}?unknown=1`, example.body), 'invalidRequest')
    if (endpoint.errors.includes('webhookNotFound')) {
      assertApiError(await call(tenant.key), 'webhookNotFound')
    }
    if (endpoint.body === undefined) {
      continue
    }
    assertApiError(await call(tenant.key, { 'Content-Type': 'text/plain' }), 'unsupportedMediaType')
    assertApiError(await call(tenant.key, {}, { url: 'x'.repeat(70_000) }), 'bodyTooLarge')
  }
  await tenant.manage('POST', '/api/test-status', { status: 'paused' })
  for (const endpoint of ENDPOINTS) {
    const { method, example } = endpoint
    assertApiError(
      await tenant.manage(method, pathOf(endpoint, ABSENT), example.body),
      'tenantPaused',
    )
  }
})

for (const engine of ENGINES) {
  test(`[${engine}] when 1,000 deliveries wait, newer events wait in the history, and none can be added`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const app1 = await receiver(t)
    const { id, path } = await addWebhook(tenant, app1.url)
    const later = Array.from({ length: WEBHOOK_RETRIES_MAX }, (_, at) => 1_000_000 + at)
    await app.ctx.stores.webhookQueue.addRetries(
      { tenantId: tenant.id, id },
      later,
      clock.now() + 3_600_000,
    )
    await tenant.signIn(browser())
    await app.deliver()
    assert.equal(app1.received.length, 0)
    const { waiting_retries, cursor } = await webhookOf(tenant, path)
    assert.deepEqual([waiting_retries, cursor], [WEBHOOK_RETRIES_MAX, 0])
    const refused = await tenant.manage('POST', `${path}/replay`, { event_ids: [2] })
    assert.deepEqual(assertApiError(refused, 'webhookLimit'), { limit: WEBHOOK_RETRIES_MAX })
    // Their events do not exist, so that nothing is sent for them.
    clock.advance({ hours: 1 })
    await app.deliver()
    assert.deepEqual(app1.ids(), [`msg_${tenant.id}_2`])
  })
}
