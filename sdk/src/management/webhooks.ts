import { readSuccess } from '../service/read-response.ts'
import { bodyWith, fieldOf, json, type Manage, segment } from './manage.ts'
import type { PageOptions } from './user-types.ts'
import type {
  CreatedWebhook,
  NewWebhook,
  RotatedSecret,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookReplay,
  WebhookTestResult,
} from './webhook-types.ts'

export interface Webhooks {
  /** Adds an endpoint that gets the events from now on. The secret is returned only once. */
  create(webhook: NewWebhook): Promise<CreatedWebhook>
  list(): Promise<readonly Webhook[]>
  get(id: string): Promise<Webhook>
  change(id: string, change: WebhookChange): Promise<Webhook>
  delete(id: string): Promise<void>
  /** Replaces the secret. For 24 hours deliveries are signed with the old one, too. */
  rotate(id: string): Promise<RotatedSecret>
  /** Sends one `webhook.test` now. Resolves when your endpoint has answered, or after 15 seconds. */
  test(id: string): Promise<WebhookTestResult>
  /** The attempts of the last 7 days by ascending id. */
  deliveries(id: string, page?: PageOptions): Promise<readonly WebhookDelivery[]>
  /** Sends events again, with the same ids: `{ after, until }` or `{ event_ids }`. */
  replay(id: string, events: WebhookReplay): Promise<Webhook>
}

const WEBHOOKS = '/api/webhooks'

export function createWebhooks(manage: Manage): Webhooks {
  const pathOf = (id: string, rest = ''): string => `${WEBHOOKS}/${segment(id, 'id')}${rest}`
  return {
    create: async (webhook) => bodyWith<CreatedWebhook>(await manage('POST', WEBHOOKS, json(webhook)), 'secret'),
    list: async () => fieldOf(await manage('GET', WEBHOOKS), 'webhooks'),
    get: async (id) => fieldOf(await manage('GET', pathOf(id)), 'webhook'),
    change: async (id, change) => fieldOf(await manage('PATCH', pathOf(id), json(change)), 'webhook'),
    delete: async (id) => readSuccess(await manage('DELETE', pathOf(id))),
    rotate: async (id) => bodyWith<RotatedSecret>(await manage('POST', pathOf(id, '/rotate')), 'secret'),
    test: async (id) => bodyWith<WebhookTestResult>(await manage('POST', pathOf(id, '/test')), 'delivered'),
    deliveries: async (id, page) =>
      fieldOf(await manage('GET', pathOf(id, '/deliveries'), { query: { ...page } }), 'deliveries'),
    replay: async (id, events) => fieldOf(await manage('POST', pathOf(id, '/replay'), json(events)), 'webhook'),
  }
}
