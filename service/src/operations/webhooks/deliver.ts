import { defined } from '../../domain/defined.ts'
import type { Progress } from '../../domain/stores/stores.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import type { Duration } from '../../domain/time.ts'
import {
  backOff,
  type Delivery,
  FAILING_MAX,
  GONE,
  isDelivered,
  retryAt,
  type SendResult,
  signatureOf,
} from '../../domain/webhooks/delivery.ts'
import {
  type DisabledReason,
  signingKey,
  unsealWebhookSecret,
  type Webhook,
  type WebhookRef,
} from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type Messages, nextMessages } from './outbox.ts'
import type { Places } from './places.ts'

/** The events of a paused tenant wait until it is claimed, those of a suspended one until it is lifted. */
const PAUSED_LOOK_MS = 60_000

/** Long enough for one delivery that times out, and the transaction after it. */
const LEASE_MS = 30_000

const NOTHING = { attempts: [], retries: [], settled: [] }

export type DeliveryContext = Pick<Context, 'stores' | 'keyring' | 'now' | 'random' | 'webhooks' | 'counts'>

interface Pace {
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

/**
 * What the results of deliveries that were sent at once mean for the endpoint. One success proves that it works; if all
 * failed, it gets nothing until a back-off has passed.
 */
function progressOf(
  ctx: Pick<Context, 'now' | 'random'>,
  webhook: Webhook,
  { events, moves, vanished }: Messages,
  results: readonly SendResult[],
): Progress {
  const now = ctx.now()
  const sent = events.map((message, at) => ({ ...message, result: results[at] as SendResult }))
  const failed = sent.filter(({ result }) => !isDelivered(result))
  const works = failed.length < sent.length || sent.length === 0
  const failures = works ? 0 : webhook.failures + 1
  const failingSince = works ? (sent.length === 0 ? webhook.failingSince : null) : (webhook.failingSince ?? now)
  const disabledReason = works ? undefined : reasonToDisable(failed, now - (failingSince ?? now))
  const longestWait = Math.max(0, ...failed.map(({ result }) => result.retryAfterMs ?? 0))
  const retries = failed.map(({ event, attempt, result }) => ({
    eventId: event.id,
    attempt,
    dueAt: retryAt(attempt, now, result.retryAfterMs, fraction(ctx)),
  }))
  const settled = new Set([...vanished, ...sent.map(({ event }) => event.id)])
  for (const { eventId, dueAt } of retries) if (dueAt !== null) settled.delete(eventId)
  return {
    ...moves,
    failingSince,
    failures: sent.length === 0 ? webhook.failures : failures,
    ...defined({ disabledReason }),
    attempts: sent.map(({ event, attempt, result: { status, ms, error } }) => ({
      ...{ eventId: event.id, attempt, at: now },
      ...{ status, ms, error },
    })),
    retries: retries.flatMap(({ dueAt, ...retry }) => (dueAt === null ? [] : [{ ...retry, dueAt }])),
    settled: [...settled],
    lease: works ? { until: now + LEASE_MS } : { nextLookAt: now + backOff(failures, longestWait) },
  }
}

function reasonToDisable(
  failed: readonly { readonly result: SendResult }[],
  failingFor: number,
): DisabledReason | undefined {
  if (failed.some(({ result }) => result.status === GONE)) return 'gone'
  return failingFor >= FAILING_MAX ? 'failing' : undefined
}

const fraction = ({ random }: Pick<Context, 'random'>): number => Buffer.from(random(4)).readUInt32BE() / 2 ** 32

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

/** The keys that sign for this endpoint now, the current one first; null: the secret cannot be read. */
export function signingKeys(ctx: Pick<Context, 'keyring' | 'now'>, webhook: Webhook): Uint8Array[] | null {
  const { sealed, previousSealed, previousUntil } = webhook
  const current = unsealWebhookSecret(ctx.keyring, webhook, sealed)
  if (current === null) return null
  const overlaps = previousSealed !== null && (previousUntil ?? 0) > ctx.now()
  const previous = overlaps ? unsealWebhookSecret(ctx.keyring, webhook, previousSealed) : null
  return [current, previous].filter((secret) => secret !== null).map(signingKey)
}

export function signDelivery(
  ctx: Pick<Context, 'now'>,
  { url }: Webhook,
  keys: readonly Uint8Array[],
  { id, body }: { readonly id: string; readonly body: string },
): Delivery {
  const content = { id, timestamp: Math.floor(ctx.now() / 1_000), body }
  return { url, ...content, signature: signatureOf(content, keys) }
}
