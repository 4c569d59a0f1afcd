import type { AuthEventKind } from '@gatehouse/contract'
import type { Author } from '../../domain/audit/action.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { type DescribedWebhook, describeWebhook } from './list-webhooks.ts'
import { lockWebhook, requireWebhookUrl } from './require-webhook.ts'

export interface WebhookChange {
  readonly url: string | undefined
  readonly events: readonly AuthEventKind[] | undefined
  readonly active: boolean | undefined
}

/** Changes the given fields. An endpoint that is enabled again, or has another URL, gets what waits at once. */
export async function changeWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { url: requested, events, active }: WebhookChange,
  author: Author,
): Promise<DescribedWebhook> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const url = requested === undefined ? undefined : requireWebhookUrl(ctx, requested)
  return ctx.stores.transaction(async (stores) => {
    const webhook = await lockWebhook(stores, tenant, id)
    await stores.webhooks.change(webhook, {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: [...new Set(events)], ...(await cursorFor(stores, tenant, webhook)) }),
      ...(active === undefined ? {} : { disabledReason: active ? null : 'owner' }),
      ...(active || url !== undefined ? { failingSince: null, failures: 0 } : {}),
      nextLookAt: now,
    })
    const names = Object.entries({ url, events, status: active }).filter(([, value]) => value !== undefined)
    const target = [webhook.id, ...names.map(([name]) => name)].join(' ')
    await recordAction(stores, { tenantId: tenant.id, author, action: 'webhook.changed', target, at: now })
    return describeWebhook(stores, webhook)
  })
}

/**
 * The cursor stays at the last event of the kinds of before, so that newly chosen kinds would start in the past. If nothing
 * of the old kinds waits, they start now.
 */
async function cursorFor(
  stores: TransactionStores,
  tenant: Tenant,
  webhook: Webhook,
): Promise<{ readonly cursor?: number }> {
  const last = await stores.eventCounts.lastEventId(tenant.id)
  const resource = await stores.resources.findActive(tenant.id)
  const { cursor: after, events: kinds } = webhook
  const [waiting] = resource === null ? [] : await stores.events.page(resource, { after, limit: 1, kinds })
  return waiting === undefined || waiting.id > last ? { cursor: last } : {}
}
