import { type WebhookType, webhookType } from '@gatehouse-auth/contract'
import { defined } from '../../domain/defined.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Progress } from '../../domain/stores/stores.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import type { Duration } from '../../domain/time.ts'
import * as deliveryRules from '../../domain/webhooks/delivery.ts'
import * as webhookRules from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type Messages, nextMessages, type Outgoing } from './outbox.ts'
import type { Places, Turn } from './places.ts'

/** The events of a paused tenant wait until it is claimed, those of a suspended one until it is lifted. */
const PAUSED_LOOK_MS = 60_000

/** Long enough for one delivery that times out, and the transaction after it. */
const LEASE_MS = 30_000

const NOTHING = { attempts: [], retries: [], settled: [], messageRetries: [], settledMessages: [] }

export type DeliveryContext = Pick<
  Context,
  'stores' | 'identity' | 'keyring' | 'now' | 'random' | 'webhooks' | 'counts'
>

interface Pace {
  readonly places: Places
  readonly turn: Turn
  /** Sends nothing more. */
  isClosing(): boolean
  /** Gives up what is being sent. */
  readonly stop: AbortSignal
  /** How old the oldest event was that this endpoint gets now. */
  behind(ms: Duration): void
}

const isServed = async ({ stores, now }: DeliveryContext, tenantId: TenantId): Promise<boolean> => {
  const tenant = await stores.tenants.find(tenantId)
  return tenant !== null && !['paused', 'suspended', 'expired'].includes(statusAt(tenant, now()))
}

/** Sends an endpoint what waits for it, under a lease. `false`: another process has it. */
export async function deliverTo(
  ctx: DeliveryContext,
  ref: webhookRules.WebhookRef,
  pace: Pace,
): Promise<boolean> {
  const { webhookQueue, resources } = ctx.stores
  if (!(await isServed(ctx, ref.tenantId))) {
    await webhookQueue.postpone(ref, ctx.now() + PAUSED_LOOK_MS)
    return true
  }
  let webhook = await webhookQueue.lease(ref, ctx.now(), ctx.now() + LEASE_MS)
  if (webhook === null) {
    return false
  }
  const resource = await resources.findActive(ref.tenantId)
  for (;;) {
    if (pace.isClosing()) {
      return release(ctx, webhook, { nextLookAt: ctx.now() })
    }
    const keys = signingKeys(ctx, webhook)
    if (keys === null) {
      return release(ctx, webhook, 'next-retry', { disabledReason: 'secret_unreadable' })
    }
    const messages = await nextMessages(ctx, webhook, resource, pace.places.atOnce(webhook))
    if (messages === null) {
      return release(ctx, webhook, 'next-retry')
    }
    pace.behind(messages.since === undefined ? 0 : ctx.now() - messages.since)
    const leased: webhookRules.Webhook = webhook
    webhook = await pace.places.run({ ...leased, isGuest: pace.turn.isGuest }, async () => {
      // Again: an endpoint that is behind gets its events for hours, and this may have waited for its turn.
      if (!(await isServed(ctx, ref.tenantId))) {
        await release(ctx, leased, { nextLookAt: ctx.now() + PAUSED_LOOK_MS })
        return null
      }
      const held = await renewed(ctx, leased)
      return held === null ? null : sendAndSave(ctx, held, keys, messages, pace.stop)
    })
    if (webhook === null) {
      return true
    }
    const nextLookAt = pace.places.mustLeave(pace.turn, webhook, ctx.now())
    if (nextLookAt !== null) {
      return release(ctx, webhook, { nextLookAt })
    }
  }
}

/** Half a lease is enough for a delivery that times out. With less, it may have waited for its turn too long. */
async function renewed(
  ctx: DeliveryContext,
  webhook: webhookRules.Webhook,
): Promise<webhookRules.Webhook | null> {
  const now = ctx.now()
  const { leaseUntil, failingSince, failures } = webhook
  const held = leaseUntil ?? 0
  if (held - now > LEASE_MS / 2) {
    return webhook
  }
  const until = now + LEASE_MS
  const renewal = { failingSince, failures, ...NOTHING, lease: { until } }
  return (await ctx.stores.webhookQueue.save(webhook, held, renewal))
    ? { ...webhook, leaseUntil: until }
    : null
}

/** Returns the endpoint as it is saved; null if this process has it no longer. */
async function sendAndSave(
  ctx: DeliveryContext,
  webhook: webhookRules.Webhook,
  keys: readonly Uint8Array[],
  messages: Messages,
  stop: AbortSignal,
): Promise<webhookRules.Webhook | null> {
  const results = await Promise.all(
    messages.items.map((item) => sendOne(ctx, webhook, keys, item, stop)),
  ).catch(async (error: unknown) => {
    if (!stop.aborted) {
      throw error
    }
    // The outcome is unknown: another process sends them again.
    await release(ctx, webhook, { nextLookAt: ctx.now() })
    return null
  })
  if (results === null) {
    return null
  }
  const progress = progressOf(ctx, webhook, messages, results)
  if (!(await ctx.stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, progress))) {
    return null
  }
  countResults(ctx, results, progress)
  if (!('until' in progress.lease)) {
    return null
  }
  const { cursor = webhook.cursor, replayAfter, failingSince, failures } = progress
  const replay =
    webhook.replay === null || replayAfter === null
      ? null
      : { ...webhook.replay, after: replayAfter ?? webhook.replay.after }
  return { ...webhook, cursor, replay, failingSince, failures, leaseUntil: progress.lease.until }
}

/** The id is the same for every attempt and replay: receivers recognize duplicates by it. */
async function sendOne(
  ctx: DeliveryContext,
  webhook: webhookRules.Webhook,
  keys: readonly Uint8Array[],
  item: Outgoing,
  stop: AbortSignal,
): Promise<deliveryRules.SendResult> {
  const { tenantId } = webhook
  const message =
    'event' in item
      ? {
          id: `msg_${tenantId}_${item.event.id}`,
          body: ctx.webhooks.eventBody(tenantId, item.event),
        }
      : {
          id: messageId(tenantId, item.message),
          body: ctx.webhooks.userBody(tenantId, item.message, item.user),
        }
  return ctx.webhooks.send(signDelivery(ctx, webhook, keys, message), stop)
}

/** `msg_<tenant id>_user_created_7_<time>_1`; a change while it waits makes it another message. */
const messageId = (
  tenantId: TenantId,
  { kind, userId, at, version }: deliveryRules.UserMessage,
): string => `msg_${tenantId}_${kind.replace('.', '_')}_${userId}_${at}_${version}`

const typeOf = (item: Outgoing): WebhookType =>
  webhookType('event' in item ? item.event.event : item.message.kind)

/**
 * What the results of deliveries that were sent at once mean for the endpoint. One success proves that it works; if all
 * failed, it gets nothing until a back-off has passed.
 */
function progressOf(
  ctx: Pick<Context, 'now' | 'random'>,
  webhook: webhookRules.Webhook,
  { items, moves, vanished, dropped }: Messages,
  results: readonly deliveryRules.SendResult[],
): Progress {
  const now = ctx.now()
  const sent = items.map((item, at) => {
    const result = results[at] as deliveryRules.SendResult
    const dueAt = deliveryRules.isDelivered(result)
      ? null
      : deliveryRules.retryAt(item.attempt, now, result.retryAfterMs, fraction(ctx))
    return { item, attempt: item.attempt, result, dueAt }
  })
  const events = sent.flatMap(({ item, ...rest }) =>
    'event' in item ? [{ eventId: item.event.id, ...rest }] : [],
  )
  const about = sent.flatMap(({ item, ...rest }) =>
    'event' in item ? [] : [{ message: item.message, ...rest }],
  )
  const failed = sent.filter(({ result }) => !deliveryRules.isDelivered(result))
  const works = failed.length < sent.length || sent.length === 0
  const failures = works ? 0 : webhook.failures + 1
  const failingSince = works
    ? sent.length === 0
      ? webhook.failingSince
      : null
    : (webhook.failingSince ?? now)
  const disabledReason = works ? undefined : reasonToDisable(failed, now - (failingSince ?? now))
  const longestWait = Math.max(0, ...failed.map(({ result }) => result.retryAfterMs ?? 0))
  return {
    ...moves,
    failingSince,
    failures: sent.length === 0 ? webhook.failures : failures,
    ...defined({ disabledReason }),
    attempts: sent.map(({ item, attempt, result: { status, ms, error } }) => ({
      ...{ type: typeOf(item), eventId: 'event' in item ? item.event.id : null, attempt, at: now },
      ...{ status, ms, error },
    })),
    retries: events.flatMap(({ eventId, attempt, dueAt }) =>
      dueAt === null ? [] : [{ eventId, attempt, dueAt }],
    ),
    settled: [
      ...vanished,
      ...events.flatMap(({ eventId, dueAt }) => (dueAt === null ? [eventId] : [])),
    ],
    messageRetries: about.flatMap(({ message, attempt, dueAt }) =>
      dueAt === null ? [] : [{ ...message, attempt, dueAt }],
    ),
    settledMessages: [
      ...dropped,
      ...about.flatMap(({ message, dueAt }) => (dueAt === null ? [message] : [])),
    ],
    lease: works
      ? { until: now + LEASE_MS }
      : { nextLookAt: now + deliveryRules.backOff(failures, longestWait) },
  }
}

function reasonToDisable(
  failed: readonly { readonly result: deliveryRules.SendResult }[],
  failingFor: number,
): webhookRules.DisabledReason | undefined {
  if (failed.some(({ result }) => result.status === deliveryRules.GONE)) {
    return 'gone'
  }
  return failingFor >= deliveryRules.FAILING_MAX ? 'failing' : undefined
}

const fraction = ({ random }: Pick<Context, 'random'>): number =>
  Buffer.from(random(4)).readUInt32BE() / 2 ** 32

async function release(
  { stores }: DeliveryContext,
  webhook: webhookRules.Webhook,
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

function countResults(
  { counts }: DeliveryContext,
  results: readonly deliveryRules.SendResult[],
  { retries, messageRetries }: Progress,
): void {
  const failed = retries.length + messageRetries.length
  const delivered = results.filter(deliveryRules.isDelivered).length
  counts.webhookDeliveries.delivered += delivered
  counts.webhookDeliveries.failed += failed
  counts.webhookDeliveries.given_up += results.length - delivered - failed
}

/** The keys that sign for this endpoint now, the current one first; null: the secret cannot be read. */
export function signingKeys(
  ctx: Pick<Context, 'keyring' | 'now'>,
  webhook: webhookRules.Webhook,
): Uint8Array[] | null {
  const { sealed, previousSealed, previousUntil } = webhook
  const current = webhookRules.unsealWebhookSecret(ctx.keyring, webhook, sealed)
  if (current === null) {
    return null
  }
  const overlaps = previousSealed !== null && (previousUntil ?? 0) > ctx.now()
  const previous = overlaps
    ? webhookRules.unsealWebhookSecret(ctx.keyring, webhook, previousSealed)
    : null
  return [current, previous].filter((secret) => secret !== null).map(webhookRules.signingKey)
}

export function signDelivery(
  ctx: Pick<Context, 'now'>,
  { url }: webhookRules.Webhook,
  keys: readonly Uint8Array[],
  { id, body }: { readonly id: string; readonly body: string },
): deliveryRules.Delivery {
  const content = { id, timestamp: Math.floor(ctx.now() / 1_000), body }
  return { url, ...content, signature: deliveryRules.signatureOf(content, keys) }
}
