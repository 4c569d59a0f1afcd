import { type WebhookType, webhookType } from '@gatehouse-auth/contract'
import { defined } from '../../domain/defined.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Progress } from '../../domain/stores/stores.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import type { Duration, Instant } from '../../domain/time.ts'
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

interface Work {
  readonly places: Places
  readonly turn: Turn
  /** Sends nothing more. */
  isClosing(): boolean
  /** Gives up what is being sent. */
  readonly stop: AbortSignal
  /** How old the oldest event was that this endpoint gets now. */
  behind(ms: Duration): void
}

/** `more`: the endpoint gave its place to another one, and is due again. */
export type Delivered = 'done' | 'more' | 'leased-elsewhere'

/** Sends an endpoint what waits for it, under a lease, until nothing is left or others wait for its place. */
export async function deliverTo(
  ctx: DeliveryContext,
  ref: webhookRules.WebhookRef,
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
    const nextLookAt = await leaveUntil(ctx, ref.tenantId, work)
    if (nextLookAt !== null) {
      await release(ctx, webhook, { nextLookAt })
      return 'done'
    }

    const keys = signingKeys(ctx, webhook)
    if (keys === null) {
      await release(ctx, webhook, 'next-retry', { disabledReason: 'secret_unreadable' })
      return 'done'
    }

    const messages = await nextMessages(ctx, webhook, resource, places.atOnce(turn))
    if (messages === null) {
      await release(ctx, webhook, 'next-retry')
      return 'done'
    }

    work.behind(messages.since === undefined ? 0 : ctx.now() - messages.since)
    webhook = await sendAndSave(ctx, webhook, keys, messages, work)
    if (webhook === null) {
      return 'done'
    }

    if (places.mustLeave(turn, webhook)) {
      await release(ctx, webhook, { nextLookAt: ctx.now() })
      return 'more'
    }
  }
}

/** When to look at an endpoint again that gets nothing now: the process closes, or its tenant is not served. */
async function leaveUntil(
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
  webhook: webhookRules.Webhook,
  keys: readonly Uint8Array[],
  messages: Messages,
  { places, stop }: Pick<Work, 'places' | 'stop'>,
): Promise<webhookRules.Webhook | null> {
  const results = await sendAll(ctx, webhook, keys, messages, stop)
  if (results === null) {
    return null
  }
  places.remember(webhook, Math.max(0, ...results.map(({ ms }) => ms)))

  const progress = progressOf(ctx, webhook, messages, results)
  const isSaved = await ctx.stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, progress)
  if (!isSaved) {
    return null
  }
  countResults(ctx, results, progress)

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

function replayAfter(
  { replay }: webhookRules.Webhook,
  progress: Progress,
): webhookRules.Webhook['replay'] {
  if (replay === null || progress.replayAfter === null) {
    return null
  }
  return { ...replay, after: progress.replayAfter ?? replay.after }
}

/** null: the process stops, and gives up what it was sending. */
async function sendAll(
  ctx: DeliveryContext,
  webhook: webhookRules.Webhook,
  keys: readonly Uint8Array[],
  { items }: Messages,
  stop: AbortSignal,
): Promise<deliveryRules.SendResult[] | null> {
  try {
    return await Promise.all(items.map((item) => sendOne(ctx, webhook, keys, item, stop)))
  } catch (error) {
    if (!stop.aborted) {
      throw error
    }
    // The outcome is unknown: another process sends them again.
    await release(ctx, webhook, { nextLookAt: ctx.now() })
    return null
  }
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

/** One that was sent. `dueAt`: when it is sent again; null: it is delivered or given up. */
interface Sent {
  readonly item: Outgoing
  readonly result: deliveryRules.SendResult
  readonly dueAt: Instant | null
}

/** What the results of deliveries that were sent at once mean for the endpoint, its events and its messages about users. */
function progressOf(
  ctx: Pick<Context, 'now' | 'random'>,
  webhook: webhookRules.Webhook,
  messages: Messages,
  results: readonly deliveryRules.SendResult[],
): Progress {
  const now = ctx.now()
  const sent = messages.items.map((item, at): Sent => {
    const result = results[at] as deliveryRules.SendResult
    return { item, result, dueAt: nextAttemptAt(ctx, item, result) }
  })
  return {
    ...messages.moves,
    ...healthAfter(webhook, sent, now),
    attempts: sent.map((each) => attemptOf(each, now)),
    ...eventsAfter(sent, messages.vanished),
    ...userMessagesAfter(sent, messages.dropped),
  }
}

function nextAttemptAt(
  ctx: Pick<Context, 'now' | 'random'>,
  { attempt }: Outgoing,
  result: deliveryRules.SendResult,
): Instant | null {
  if (deliveryRules.isDelivered(result)) {
    return null
  }
  return deliveryRules.retryAt(attempt, ctx.now(), result.retryAfterMs, fraction(ctx))
}

type Health = Pick<Progress, 'failures' | 'failingSince' | 'disabledReason' | 'lease'>

/** One success proves that an endpoint works; if all deliveries failed, it gets nothing until a back-off has passed. */
function healthAfter(webhook: webhookRules.Webhook, sent: readonly Sent[], now: Instant): Health {
  const lease = { until: now + LEASE_MS }
  if (sent.length === 0) {
    return { failures: webhook.failures, failingSince: webhook.failingSince, lease }
  }

  const failed = sent.filter(({ result }) => !deliveryRules.isDelivered(result))
  if (failed.length < sent.length) {
    return { failures: 0, failingSince: null, lease }
  }

  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now
  const disabledReason = reasonToDisable(failed, now - failingSince)
  const retryAfterMs = Math.max(...failed.map(({ result }) => result.retryAfterMs ?? 0))
  return {
    failures,
    failingSince,
    ...defined({ disabledReason }),
    lease: { nextLookAt: now + deliveryRules.backOff(failures, retryAfterMs) },
  }
}

function attemptOf({ item, result }: Sent, now: Instant): deliveryRules.Attempt {
  return {
    type: typeOf(item),
    eventId: 'event' in item ? item.event.id : null,
    attempt: item.attempt,
    at: now,
    status: result.status,
    ms: result.ms,
    error: result.error,
  }
}

function eventsAfter(
  sent: readonly Sent[],
  vanished: readonly number[],
): Pick<Progress, 'retries' | 'settled'> {
  const retries: deliveryRules.Retry[] = []
  const settled = [...vanished]
  for (const { item, dueAt } of sent) {
    if (!('event' in item)) {
      continue
    }
    if (dueAt === null) {
      settled.push(item.event.id)
    } else {
      retries.push({ eventId: item.event.id, attempt: item.attempt, dueAt })
    }
  }
  return { retries, settled }
}

function userMessagesAfter(
  sent: readonly Sent[],
  dropped: readonly deliveryRules.UserMessage[],
): Pick<Progress, 'messageRetries' | 'settledMessages'> {
  const messageRetries: Progress['messageRetries'][number][] = []
  const settledMessages = [...dropped]
  for (const { item, dueAt } of sent) {
    if ('event' in item) {
      continue
    }
    if (dueAt === null) {
      settledMessages.push(item.message)
    } else {
      messageRetries.push({ ...item.message, attempt: item.attempt, dueAt })
    }
  }
  return { messageRetries, settledMessages }
}

function reasonToDisable(
  failed: readonly Sent[],
  failingFor: Duration,
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
): Promise<void> {
  const { failingSince, failures } = webhook
  const lease = next === 'next-retry' ? { nextLookAt: next } : next
  await stores.webhookQueue.save(webhook, webhook.leaseUntil ?? 0, {
    failingSince,
    failures,
    ...NOTHING,
    ...change,
    lease,
  })
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
