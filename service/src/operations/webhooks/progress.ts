import { webhookType } from '@gatehouse-auth/contract'
import type { Progress } from '../../domain/stores/stores.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import {
  type Attempt,
  backOff,
  FAILING_MAX,
  GONE,
  isDelivered,
  type Retry,
  retryAt,
  type SendResult,
  type UserMessage,
} from '../../domain/webhooks/delivery.ts'
import type { DisabledReason, Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import type { Messages, Outgoing } from './messages.ts'

/** Long enough for one delivery that times out, and the transaction after it. */
export const LEASE_MS = 30_000

/** One that was sent, and what came back. */
export interface Sent {
  readonly item: Outgoing
  readonly result: SendResult
}

/** What the results of deliveries that were sent at once mean for the endpoint, its events and its messages about users. */
export function progressOf(
  ctx: Pick<Context, 'now' | 'random'>,
  webhook: Webhook,
  messages: Messages,
  sent: readonly Sent[],
): Progress {
  const now = ctx.now()
  const outcomes = sent.map((each) => ({ ...each, dueAt: nextAttemptAt(ctx, each) }))

  const health = healthAfter(webhook, sent, now)
  const { retries, settled } = eventsAfter(outcomes, messages.vanished)
  const { messageRetries, settledMessages } = userMessagesAfter(outcomes, messages.dropped)
  return {
    ...messages.moves,
    ...health,
    attempts: sent.map((each) => attemptOf(each, now)),
    retries,
    settled,
    messageRetries,
    settledMessages,
  }
}

/** What is saved about an endpoint to which nothing was sent: its lease ends. */
export function nothingSent(
  { failures, failingSince }: Webhook,
  nextLookAt: Instant | 'next-retry',
): Progress {
  return {
    failures,
    failingSince,
    attempts: [],
    retries: [],
    settled: [],
    messageRetries: [],
    settledMessages: [],
    lease: { nextLookAt },
  }
}

interface Outcome extends Sent {
  /** When it is sent again; null: it is delivered or given up. */
  readonly dueAt: Instant | null
}

function nextAttemptAt(
  ctx: Pick<Context, 'now' | 'random'>,
  { item, result }: Sent,
): Instant | null {
  if (isDelivered(result)) {
    return null
  }
  return retryAt(item.attempt, ctx.now(), result.retryAfterMs, fraction(ctx))
}

/** A random number from 0 to 1. */
function fraction({ random }: Pick<Context, 'random'>): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32
}

type Health = Pick<Progress, 'failures' | 'failingSince' | 'disabledReason' | 'lease'>

/** One success proves that an endpoint works; if all deliveries failed, it gets nothing until a back-off has passed. */
function healthAfter(webhook: Webhook, sent: readonly Sent[], now: Instant): Health {
  const keptLease = { until: now + LEASE_MS }
  if (sent.length === 0) {
    return { failures: webhook.failures, failingSince: webhook.failingSince, lease: keptLease }
  }

  const results = sent.map(({ result }) => result)
  if (results.some(isDelivered)) {
    return { failures: 0, failingSince: null, lease: keptLease }
  }

  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now
  const retryAfterMs = Math.max(...results.map((result) => result.retryAfterMs ?? 0))
  const nextLookAt = now + backOff(failures, retryAfterMs)
  const health: Health = { failures, failingSince, lease: { nextLookAt } }

  const disabledReason = reasonToDisable(results, now - failingSince)
  return disabledReason === null ? health : { ...health, disabledReason }
}

function reasonToDisable(
  failed: readonly SendResult[],
  failingFor: Duration,
): DisabledReason | null {
  if (failed.some(({ status }) => status === GONE)) {
    return 'gone'
  }
  return failingFor >= FAILING_MAX ? 'failing' : null
}

function attemptOf({ item, result }: Sent, now: Instant): Attempt {
  return {
    type: webhookType(item.kind === 'event' ? item.event.event : item.message.kind),
    eventId: item.kind === 'event' ? item.event.id : null,
    attempt: item.attempt,
    at: now,
    status: result.status,
    ms: result.ms,
    error: result.error,
  }
}

function eventsAfter(
  outcomes: readonly Outcome[],
  vanished: readonly number[],
): Pick<Progress, 'retries' | 'settled'> {
  const retries: Retry[] = []
  const settled = [...vanished]
  for (const { item, dueAt } of outcomes) {
    if (item.kind !== 'event') {
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
  outcomes: readonly Outcome[],
  dropped: readonly UserMessage[],
): Pick<Progress, 'messageRetries' | 'settledMessages'> {
  const messageRetries: Progress['messageRetries'][number][] = []
  const settledMessages = [...dropped]
  for (const { item, dueAt } of outcomes) {
    if (item.kind !== 'message') {
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
