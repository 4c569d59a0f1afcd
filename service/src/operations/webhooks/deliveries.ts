import {
  WEBHOOK_REPLAY_COUNT_MAX,
  WEBHOOK_REPLAYS_PER_HOUR,
  WEBHOOK_RETRIES_MAX,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { RecordedAttempt } from '../../domain/webhooks/delivery.ts'
import { type EventRange, historyKinds, type Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-requests.ts'
import { recordAction } from '../tenants/audit.ts'
import { type DescribedWebhook, describeWebhook, lockWebhook, requireWebhook } from './endpoints.ts'

export async function listWebhookDeliveries(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly deliveries: RecordedAttempt[]; readonly hasMore: boolean }> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const webhook = await requireWebhook(ctx.stores, tenant, id)
  // One more than requested, to know whether there is another page.
  const deliveries = await ctx.stores.deliveryLog.page(webhook, after, limit + 1)
  return { deliveries: deliveries.slice(0, limit), hasMore: deliveries.length > limit }
}

/** Prevents that a key makes this service send any number of requests to a URL that it chose. */
const REPLAY_LIMIT: HourlyLimit = {
  scope: 'webhook-replays',
  perHour: WEBHOOK_REPLAYS_PER_HOUR,
  action: 'send events again',
}

type ReplayRequest =
  | { readonly after: number; readonly until: number | undefined }
  | { readonly eventIds: readonly number[] }

/** Sends events again, in the background. A range is sent after new events, so that it does not delay them. */
export async function replayWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
  request: ReplayRequest,
  author: Author,
): Promise<DescribedWebhook & { readonly deliveries: number }> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  return ctx.stores.transaction(async (stores) => {
    const webhook = await lockWebhook(stores, tenant, id)
    await limitByTenant(stores, REPLAY_LIMIT, tenant, now)
    const deliveries = await replay(stores, webhook, request, now)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'webhook.replayed',
      target: webhook.id,
      at: now,
    })
    return { ...(await describeWebhook(stores, webhook)), deliveries }
  })
}

/** Returns how many deliveries it adds. */
async function replay(
  stores: TransactionStores,
  webhook: Webhook,
  request: ReplayRequest,
  now: Instant,
): Promise<number> {
  if ('eventIds' in request) {
    const added = await addRetries(stores, webhook, request.eventIds, now)
    await stores.webhooks.change(webhook, { nextLookAt: now })
    return added
  }

  const range = rangeOf(webhook, request.after, request.until)
  if (range === null) {
    await stores.webhooks.change(webhook, { nextLookAt: now })
    return 0
  }
  const deliveries = await countRange(stores, webhook, range)
  await stores.webhooks.change(webhook, { replay: range, nextLookAt: now })
  return deliveries
}

async function countRange(
  stores: TransactionStores,
  webhook: Webhook,
  range: EventRange,
): Promise<number> {
  const kinds = historyKinds(webhook)
  const resource = await stores.resources.findActive(webhook.tenantId)
  if (resource === null || kinds.length === 0) {
    return 0
  }
  return stores.events.count(resource, { ...range, kinds, limit: WEBHOOK_REPLAY_COUNT_MAX })
}

/** Events after the cursor will be sent anyway. A range that is still being sent is extended. */
function rangeOf(
  { cursor, replay }: Webhook,
  after: number,
  requestedUntil = cursor,
): EventRange | null {
  const until = Math.min(requestedUntil, cursor)
  if (after >= until) {
    return replay
  }
  if (replay === null) {
    return { after, until }
  }
  return { after: Math.min(after, replay.after), until: Math.max(until, replay.until) }
}

async function addRetries(
  stores: TransactionStores,
  webhook: Webhook,
  eventIds: readonly number[],
  now: Instant,
): Promise<number> {
  const retries = await stores.webhooks.countRetries(webhook.tenantId)
  const waiting = retries.get(webhook.id) ?? 0
  if (waiting >= WEBHOOK_RETRIES_MAX) {
    throw new ApiError(
      'webhookLimit',
      `${waiting} deliveries of this webhook wait already. Try again when fewer do.`,
      { details: { limit: WEBHOOK_RETRIES_MAX } },
    )
  }

  const resource = await stores.resources.findActive(webhook.tenantId)
  if (resource === null) {
    return 0
  }

  const events = await stores.events.find(resource, [...new Set(eventIds)], historyKinds(webhook))
  const ids = events.map((event) => event.id)
  await stores.webhookQueue.addRetries(webhook, ids, now)
  return ids.length
}
