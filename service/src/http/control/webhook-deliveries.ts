import {
  listWebhookDeliveries as listWebhookDeliveriesEndpoint,
  replayWebhook as replayWebhookEndpoint,
  testWebhook as testWebhookEndpoint,
} from '@gatehouse/contract'
import { isDelivered, type RecordedAttempt } from '../../domain/webhooks/delivery.ts'
import { listWebhookDeliveries, replayWebhook } from '../../operations/webhooks/deliveries.ts'
import { testWebhook } from '../../operations/webhooks/endpoints.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { webhookView } from './webhooks.ts'

export function webhookDeliveryRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, testWebhookEndpoint, async ({ params }, _c, tenant) => {
    const result = await testWebhook(ctx, tenant, params.webhookId)
    return { delivered: isDelivered(result), status: result.status, ms: result.ms, error: result.error }
  })

  mountForManagementKey(app, deps, listWebhookDeliveriesEndpoint, async ({ params, query }, c, tenant) => {
    const { deliveries, hasMore } = await listWebhookDeliveries(ctx, tenant, params.webhookId, query)
    const last = deliveries.at(-1)
    if (last !== undefined && hasMore) {
      const path = listWebhookDeliveriesEndpoint.path.replace(':webhookId', params.webhookId)
      c.header('Link', `<${ctx.baseUrl}${path}?after=${last.id}&limit=${query.limit}>; rel="next"`)
    }
    return { deliveries: deliveries.map(deliveryView) }
  })

  mountForManagementKey(app, deps, replayWebhookEndpoint, async ({ params, body }, c, tenant, key) => {
    const { after = 0, until, event_ids: eventIds } = body
    const request = eventIds === undefined ? { after, until } : { eventIds }
    const webhook = await replayWebhook(ctx, tenant, params.webhookId, request, keyAuthor(c, key))
    return { webhook: webhookView(webhook) }
  })
}

const deliveryView = (attempt: RecordedAttempt) => ({
  id: attempt.id,
  event_id: attempt.eventId,
  attempt: attempt.attempt,
  at_ms: attempt.at,
  delivered: isDelivered(attempt),
  status: attempt.status,
  ms: attempt.ms,
  error: attempt.error,
})
