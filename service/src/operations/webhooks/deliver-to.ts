import type { Progress } from '../../domain/stores/stores.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import type { Duration } from '../../domain/time.ts'
import { isDelivered, type SendResult } from '../../domain/webhooks/delivery.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type Messages, nextMessages } from './next-messages.ts'
import type { Places } from './places.ts'
import { LEASE_MS, progressOf } from './progress-of.ts'
import { signDelivery, signingKeys } from './sign-delivery.ts'

/** The events of a paused tenant wait until it is claimed, those of a suspended one until it is lifted. */
const PAUSED_LOOK_MS = 60_000

const NOTHING = { attempts: [], retries: [], settled: [] }

export type DeliveryContext = Pick<Context, 'stores' | 'keyring' | 'now' | 'random' | 'webhooks' | 'counts'>

export interface Pace {
  readonly places: Places
  /** Sends nothing more. */
  isClosing(): boolean
  /** Gives up what is being sent. */
  readonly stop: AbortSignal
  /** How old the oldest event was that this endpoint gets now. */
  behind(ms: Duration): void
}

/** Sends an endpoint what waits for it, under a lease. `false`: another process has it. */
export async function deliverTo(ctx: DeliveryContext, ref: WebhookRef, pace: Pace): Promise<boolean> {
  const { webhookQueue, tenants } = ctx.stores
  const tenant = await tenants.find(ref.tenantId)
  if (tenant === null || ['paused', 'suspended', 'expired'].includes(statusAt(tenant, ctx.now()))) {
    await webhookQueue.postpone(ref, ctx.now() + PAUSED_LOOK_MS)
    return true
  }
  let webhook = await webhookQueue.lease(ref, ctx.now(), ctx.now() + LEASE_MS)
  if (webhook === null) return false
  const resource = await ctx.stores.resources.findActive(ref.tenantId)
  while (webhook !== null) {
    if (pace.isClosing()) return release(ctx, webhook, { nextLookAt: ctx.now() })
    const keys = signingKeys(ctx, webhook)
    if (keys === null) return release(ctx, webhook, 'next-retry', { disabledReason: 'secret_unreadable' })
    const messages = await nextMessages(ctx, webhook, resource, pace.places.atOnce(webhook))
    if (messages === null) return release(ctx, webhook, 'next-retry')
    const oldest = messages.isNew ? messages.events[0]?.event.createdAt : undefined
    pace.behind(oldest === undefined ? 0 : ctx.now() - oldest)
    webhook = await send(ctx, webhook, keys, messages, pace)
  }
  return true
}

/** When its turn comes. Returns the endpoint as it is saved; null if this process has it no longer. */
function send(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  messages: Messages,
  { places, stop }: Pace,
): Promise<Webhook | null> {
  return places.run(webhook, async () => {
    const leased = await renewed(ctx, webhook)
    return leased === null ? null : sendAndSave(ctx, leased, keys, messages, stop)
  })
}

/** Half a lease is enough for a delivery that times out. With less, it may have waited for its turn too long. */
async function renewed(ctx: DeliveryContext, webhook: Webhook): Promise<Webhook | null> {
  const now = ctx.now()
  const { leaseUntil, failingSince, failures } = webhook
  const held = leaseUntil ?? 0
  if (held - now > LEASE_MS / 2) return webhook
  const until = now + LEASE_MS
  const renewal = { failingSince, failures, ...NOTHING, lease: { until } }
  return (await ctx.stores.webhookQueue.save(webhook, held, renewal)) ? { ...webhook, leaseUntil: until } : null
}

async function sendAndSave(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  messages: Messages,
  stop: AbortSignal,
): Promise<Webhook | null> {
  const results = await Promise.all(
    messages.events.map(({ event }) => sendEvent(ctx, webhook, keys, event, stop)),
  ).catch(async (error: unknown) => {
    if (!stop.aborted) throw error
    // The outcome is unknown: another process sends them again.
    await release(ctx, webhook, { nextLookAt: ctx.now() })
    return null
  })
  if (results === null) return null
  const progress = progressOf(ctx, webhook, messages, results)
  if (!(await ctx.stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, progress))) return null
  countResults(ctx, results, progress)
  if (!('until' in progress.lease) || progress.disabledReason !== undefined) return null
  const { cursor = webhook.cursor, replayAfter, failingSince, failures } = progress
  const replay =
    webhook.replay === null || replayAfter === null
      ? null
      : { ...webhook.replay, after: replayAfter ?? webhook.replay.after }
  return { ...webhook, cursor, replay, failingSince, failures, leaseUntil: progress.lease.until }
}

async function sendEvent(
  ctx: DeliveryContext,
  webhook: Webhook,
  keys: readonly Uint8Array[],
  event: Messages['events'][number]['event'],
  stop: AbortSignal,
): Promise<SendResult> {
  const { tenantId } = webhook
  // The same for every attempt and replay: receivers recognize duplicates by it.
  const message = { id: `msg_${tenantId}_${event.id}`, body: ctx.webhooks.eventBody(tenantId, event) }
  return ctx.webhooks.send(signDelivery(ctx, webhook, keys, message), stop)
}

async function release(
  { stores }: DeliveryContext,
  webhook: Webhook,
  next: { readonly nextLookAt: number } | 'next-retry',
  change: Pick<Progress, 'disabledReason'> = {},
): Promise<true> {
  const { failingSince, failures } = webhook
  const lease = next === 'next-retry' ? { nextLookAt: next } : next
  await stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, {
    failingSince,
    failures,
    ...NOTHING,
    ...change,
    lease,
  })
  return true
}

function countResults({ counts }: DeliveryContext, results: readonly SendResult[], { retries }: Progress): void {
  const delivered = results.filter(isDelivered).length
  counts.webhookDeliveries.delivered += delivered
  counts.webhookDeliveries.failed += retries.length
  counts.webhookDeliveries.given_up += results.length - delivered - retries.length
}
