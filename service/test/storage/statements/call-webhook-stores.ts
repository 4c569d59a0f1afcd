// For query-plans.test.ts and distribution.test.ts: calls every store method for webhooks.
import type { Resource } from '../../../src/domain/stores/stores.ts'
import { NOW, type TestStorage } from '../../support/postgres/storage.ts'

export async function callWebhookStores(
  { stores }: TestStorage,
  resource: Resource,
): Promise<void> {
  const { tenantId } = resource
  const ref = { tenantId, id: 'wh_1' }
  const settings = {
    url: 'https://app.example.com/hook',
    events: ['authorize', 'logout', 'user.created'],
  } as const
  const kinds = ['authorize', 'logout'] as const
  const waiting = { kind: 'user.created', userId: 1, email: null, version: 1, at: NOW } as const
  await stores.webhooks.add(
    { ...ref, ...settings, sealed: new Uint8Array([1]), cursor: 0, createdAt: NOW },
    5,
  )
  await stores.webhooks.find(ref)
  await stores.webhooks.lock(ref)
  await stores.webhooks.listByTenant(tenantId)
  await stores.webhooks.change(ref, { nextLookAt: NOW, replay: { after: 0, until: 5 } })
  await stores.webhooks.countRetries(tenantId)
  await stores.webhookQueue.listWanting([tenantId, 'three-four'], ['authorize', 'logout'])
  await stores.webhookQueue.listDue(NOW, 5, 10)
  await stores.webhookQueue.page(ref, 10)
  await stores.webhookQueue.lease(ref, NOW, NOW + 1)
  await stores.webhookQueue.addRetries(ref, [1, 2], NOW)
  await stores.webhookQueue.dueRetries(ref, NOW, 10)
  await stores.userMessages.record(tenantId, 'user.created', [{ id: 1 }, { id: 2 }], NOW)
  await stores.userMessages.due(ref, NOW, 10)
  const result = { status: 500, ms: 1, error: null }
  await stores.webhookQueue.save(ref, NOW + 1, {
    cursor: 3,
    replayAfter: null,
    failingSince: null,
    failures: 0,
    attempts: [{ type: 'social_login.authorize', eventId: 3, attempt: 1, at: NOW, ...result }],
    retries: [{ eventId: 3, attempt: 1, dueAt: NOW + 5 }],
    settled: [1, 2],
    messageRetries: [{ ...waiting, attempt: 1, dueAt: NOW + 5 }],
    settledMessages: [{ ...waiting, userId: 2, attempt: 0 }],
    lease: { nextLookAt: 'next-retry' },
  })
  await stores.webhookQueue.setNextLook(ref, NOW + 1)
  await stores.deliveryLog.append(ref, {
    type: 'webhook.test',
    eventId: null,
    attempt: 1,
    at: NOW,
    ...result,
  })
  await stores.deliveryLog.page(ref, 0, 10)
  await stores.deliveryLog.recent(tenantId, 0, 10)
  await stores.deliveryLog.sweep(NOW, 10)
  await stores.events.page(resource, { after: 0, limit: 10, kinds })
  await stores.events.find(resource, [1, 2], kinds)
  await stores.events.find(resource, [], kinds)
  await stores.events.count(resource, { after: 1, until: 5, kinds, limit: 10 })
  await stores.webhooks.change(ref, { events: kinds })
  await stores.userMessages.record(
    tenantId,
    'user.deleted',
    [{ id: 1, email: 'ada@example.com' }],
    NOW,
  )
  await stores.userMessages.sweep(NOW, 10)
  await stores.webhooks.remove(ref)
  await stores.webhooks.removeByTenant(tenantId)
}
