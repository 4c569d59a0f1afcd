import type { WebhookTransport } from '../domain/webhooks/delivery.ts'
import { eventView } from './views.ts'

/** The bodies of deliveries. An event has the fields that the API returns. */
export const webhookBodies: Pick<WebhookTransport, 'eventBody' | 'testBody'> = {
  eventBody: (tenantId, event) =>
    JSON.stringify({
      type: `social_login.${event.event}`,
      timestamp: new Date(event.createdAt).toISOString(),
      data: { tenant_id: tenantId, ...eventView(event) },
    }),
  testBody: (tenantId, now) =>
    JSON.stringify({ type: 'webhook.test', timestamp: new Date(now).toISOString(), data: { tenant_id: tenantId } }),
}
