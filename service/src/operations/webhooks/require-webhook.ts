import { ApiError } from '../../domain/api-error.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { isWebhookId, type Webhook, type WebhookRef } from '../../domain/webhooks/webhook.ts'
import { readWebhookUrl } from '../../domain/webhooks/webhook-url.ts'
import type { Context } from '../context.ts'

export const webhookNotFound = (): ApiError =>
  new ApiError('webhookNotFound', 'This tenant has no webhook with this id. List them: GET /api/webhooks.')

/** The endpoint of this tenant with the id from a path. */
export async function requireWebhook(
  { webhooks }: Pick<TransactionStores, 'webhooks'>,
  tenant: Tenant,
  id: string,
): Promise<Webhook> {
  return found(await webhooks.find(refOf(tenant, id)))
}

/** The same, locked until the transaction ends. */
export async function lockWebhook(
  { webhooks }: Pick<TransactionStores, 'webhooks'>,
  tenant: Tenant,
  id: string,
): Promise<Webhook> {
  return found(await webhooks.lock(refOf(tenant, id)))
}

/** Throws if the text is no id, before it reaches a query. */
export function refOf(tenant: Tenant, id: string): WebhookRef {
  if (!isWebhookId(id)) throw webhookNotFound()
  return { tenantId: tenant.id, id }
}

function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw webhookNotFound()
  return webhook
}

export function requireWebhookUrl({ baseUrl }: Pick<Context, 'baseUrl'>, text: string): string {
  const read = readWebhookUrl(text, baseUrl)
  if (!read.ok) throw new ApiError('webhookUrlRefused', `A webhook cannot be sent to this URL. ${read.problem}`)
  return read.url
}
