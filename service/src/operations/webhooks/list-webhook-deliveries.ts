import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { RecordedAttempt } from '../../domain/webhooks/delivery.ts'
import type { Context } from '../context.ts'
import { requireWebhook } from './require-webhook.ts'

export interface DeliveryPage {
  readonly deliveries: RecordedAttempt[]
  readonly hasMore: boolean
}

export async function listWebhookDeliveries(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<DeliveryPage> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const webhook = await requireWebhook(ctx.stores, tenant, id)
  // One more than requested, to know whether there is another page.
  const deliveries = await ctx.stores.deliveryLog.page(webhook, after, limit + 1)
  return { deliveries: deliveries.slice(0, limit), hasMore: deliveries.length > limit }
}
