import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { refOf, webhookNotFound } from './require-webhook.ts'

/** An endpoint and how many of its deliveries wait for a retry. */
export interface DescribedWebhook extends Webhook {
  readonly waitingRetries: number
}

export async function listWebhooks(ctx: Context, tenant: Tenant): Promise<DescribedWebhook[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const retries = await ctx.stores.webhooks.countRetries(tenant.id)
  const webhooks = await ctx.stores.webhooks.listByTenant(tenant.id)
  return webhooks.map((webhook) => ({ ...webhook, waitingRetries: retries.get(webhook.id) ?? 0 }))
}

export async function readWebhook(ctx: Context, tenant: Tenant, id: string): Promise<DescribedWebhook> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return describeWebhook(ctx.stores, refOf(tenant, id))
}

/** Throws `webhookNotFound`. */
export async function describeWebhook(
  { webhooks }: Pick<TransactionStores, 'webhooks'>,
  ref: WebhookRef,
): Promise<DescribedWebhook> {
  const webhook = await webhooks.find(ref)
  if (webhook === null) throw webhookNotFound()
  return { ...webhook, waitingRetries: (await webhooks.countRetries(ref.tenantId)).get(ref.id) ?? 0 }
}
