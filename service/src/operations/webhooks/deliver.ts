import type { TenantId } from '../../domain/ids.ts'
import type { Progress } from '../../domain/stores/stores.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import { isDelivered, type SendResult, type UserMessage } from '../../domain/webhooks/delivery.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type Messages, nextMessages, type Outgoing } from './messages.ts'
import type { Places, Turn } from './places.ts'
import { LEASE_MS, nothingSent, progressOf, type Sent } from './progress.ts'
import { signDelivery, signingKeys } from './signing.ts'

/** The events of a paused tenant wait until it is claimed, those of a suspended one until it is lifted. */
const PAUSED_LOOK_MS = 60_000

export type DeliveryContext = Pick<
  Context,
  'stores' | 'identity' | 'keyring' | 'now' | 'random' | 'webhooks' | 'counts'
>

interface Work {
  readonly places: Places
  readonly turn: Turn
  /** Whether the process stops, and sends nothing more. */
  isClosing(): boolean
  /** Gives up what is being sent. */
  readonly stop: AbortSignal
  /** Called with the age of the oldest event that this endpoint gets now. */
  behind(ms: Duration): void
}

/** `more`: the endpoint gave its place to another one, and is due again. */
export type Delivered = 'done' | 'more' | 'leased-elsewhere'

/** Sends an endpoint what waits for it, under a lease, until nothing is left or others wait for its place. */
export async function deliverTo(
  ctx: DeliveryContext,
  ref: WebhookRef,
  work: Work,
): Promise<Delivered> {
  const { places, turn } = work
  let webhook = await ctx.stores.webhookQueue.lease(ref, ctx.now(), ctx.now() + LEASE_MS)
  if (webhook === null) {
    return 'leased-elsewhere'
  }

  const resource = await ctx.stores.resources.findActive(ref.tenantId)
  for (;;) {
    // Before each delivery, because an endpoint that is behind gets its events for hours.
    const leaveUntil = await whenToLeaveUntil(ctx, ref.tenantId, work)
    if (leaveUntil !== null) {
      await release(ctx, webhook, leaveUntil)
      return 'done'
    }

    const keys = signingKeys(ctx, webhook)
    if (keys === null) {
      await disable(ctx, webhook)
      return 'done'
    }

    const messages = await nextMessages(ctx, webhook, resource, places.atOnce(turn))
    if (messages === null) {
      await release(ctx, webhook, 'next-retry')
      return 'done'
    }

    work.behind(messages.since === null ? 0 : ctx.now() - messages.since)
    webhook = await sendAndSave(ctx, webhook, keys, messages, work)
    if (webhook === null) {
      return 'done'
    }

    if (places.mustLeave(turn, webhook)) {
      await release(ctx, webhook, ctx.now())
      return 'more'
    }
  }
}

/** When to look at an endpoint again that gets nothing now: the process closes, or its tenant is not served. */
async function whenToLeaveUntil(
  { stores, now }: DeliveryContext,
  tenantId: TenantId,
  { isClosing }: Pick<Work, 'isClosing'>,
): Promise<Instant | null> {
  if (isClosing()) {
    return now()
  }

  const tenant = await stores.tenants.find(tenantId)
  if (tenant === null || ['paused', 'suspended', 'expired'].includes(statusAt(tenant, now()))) {
    return now() + PAUSED_LOOK_MS
  }
  return null
}

/** Returns the endpoint as it is saved; null if it failed, or if this process has it no longer. */
async function sendAndSave(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  messages: Messages,
  { places, stop }: Pick<Work, 'places' | 'stop'>,
): Promise<Webhook | null> {
  const sent = await sendAll(ctx, webhook, keys, messages.items, stop)
  if (sent === null) {
    return null
  }
  const slowestMs = Math.max(0, ...sent.map(({ result }) => result.ms))
  places.remember(webhook, slowestMs)

  const progress = progressOf(ctx, webhook, messages, sent)
  const isSaved = await save(ctx, webhook, progress)
  if (!isSaved) {
    return null
  }
  countResults(ctx, sent, progress)

  if (!('until' in progress.lease)) {
    return null
  }
  return {
    ...webhook,
    cursor: progress.cursor ?? webhook.cursor,
    replay: replayAfter(webhook, progress),
    failingSince: progress.failingSince,
    failures: progress.failures,
    leaseUntil: progress.lease.until,
  }
}

function replayAfter({ replay }: Webhook, progress: Progress): Webhook['replay'] {
  if (replay === null || progress.replayAfter === null) {
    return null
  }
  return { after: progress.replayAfter ?? replay.after, until: replay.until }
}

/** null: the process stops, and gives up what it was sending. */
async function sendAll(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  items: readonly Outgoing[],
  stop: AbortSignal,
): Promise<Sent[] | null> {
  const sendOne = async (item: Outgoing): Promise<Sent> => {
    const result = await send(ctx, webhook, keys, item, stop)
    return { item, result }
  }

  try {
    return await Promise.all(items.map(sendOne))
  } catch (error) {
    if (!stop.aborted) {
      throw error
    }
    // The outcome is unknown: another process sends them again.
    await release(ctx, webhook, ctx.now())
    return null
  }
}

function send(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  item: Outgoing,
  stop: AbortSignal,
): Promise<SendResult> {
  const { tenantId } = webhook
  const message = {
    id:
      item.kind === 'event' ? eventId(tenantId, item.event.id) : messageId(tenantId, item.message),
    body: bodyOf(ctx, tenantId, item),
  }
  return ctx.webhooks.send(signDelivery(ctx, webhook, keys, message), stop)
}

// Each attempt and each replay has the same id: receivers recognize duplicates by it.

function eventId(tenantId: TenantId, id: number): string {
  return `msg_${tenantId}_${id}`
}

/** `msg_<tenant id>_user_created_7_<time>_1`; a change while it waits makes it another message. */
function messageId(tenantId: TenantId, { kind, userId, at, version }: UserMessage): string {
  return `msg_${tenantId}_${kind.replace('.', '_')}_${userId}_${at}_${version}`
}

function bodyOf({ webhooks }: DeliveryContext, tenantId: TenantId, item: Outgoing): string {
  if (item.kind === 'event') {
    return webhooks.eventBody(tenantId, item.event)
  }
  return webhooks.userBody(tenantId, item.message, item.user)
}

/** Ends the lease, and says when the next deliverer looks at the endpoint. */
async function release(
  ctx: DeliveryContext,
  webhook: Webhook,
  nextLookAt: Instant | 'next-retry',
): Promise<void> {
  await save(ctx, webhook, nothingSent(webhook, nextLookAt))
}

/** Without its secret, nothing can be signed. */
async function disable(ctx: DeliveryContext, webhook: Webhook): Promise<void> {
  const progress = nothingSent(webhook, 'next-retry')
  await save(ctx, webhook, { ...progress, disabledReason: 'secret_unreadable' })
}

/** False if another process has the endpoint now. */
function save({ stores }: DeliveryContext, webhook: Webhook, progress: Progress): Promise<boolean> {
  return stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, progress)
}

function countResults(
  { counts }: DeliveryContext,
  sent: readonly Sent[],
  { retries, messageRetries }: Progress,
): void {
  const delivered = sent.filter(({ result }) => isDelivered(result)).length
  const failed = retries.length + messageRetries.length
  counts.webhookDeliveries.delivered += delivered
  counts.webhookDeliveries.failed += failed
  counts.webhookDeliveries.given_up += sent.length - delivered - failed
}
