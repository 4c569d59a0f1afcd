import { WEBHOOK_RETRIES_MAX } from '@gatehouse-auth/contract'
import { REMOVAL_MS } from '../../domain/accounts/person.ts'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Progress, Resource } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { MessageUser, UserMessage } from '../../domain/webhooks/delivery.ts'
import { historyKinds, type Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type NameIssuer, nameIssuers } from '../providers/providers.ts'

export type Outgoing = OutgoingEvent | OutgoingMessage

interface OutgoingEvent {
  readonly kind: 'event'
  readonly event: AuthEvent
  readonly attempt: number
}

/** A message about a user. */
interface OutgoingMessage {
  readonly kind: 'message'
  readonly message: UserMessage
  /** null: the user is deleted. */
  readonly user: MessageUser | null
  readonly attempt: number
}

/** What is sent at once, and how far the endpoint is when it is sent or recorded for a retry. */
export interface Messages {
  readonly items: readonly Outgoing[]
  readonly moves: Pick<Progress, 'cursor' | 'replayAfter'>
  /** Retries of events that no longer exist. */
  readonly vanished: readonly number[]
  /** About users who no longer exist, withdrawn, or of kinds that the endpoint no longer gets. */
  readonly dropped: readonly UserMessage[]
  /** When the oldest new event happened; null: no event is new. */
  readonly since: Instant | null
}

type MessageContext = Pick<Context, 'stores' | 'now' | 'identity'>

/** Due retries come first, then new events, messages about users, and a requested range; null: nothing to send. */
export async function nextMessages(
  ctx: MessageContext,
  webhook: Webhook,
  resource: Resource | null,
  limit: number,
): Promise<Messages | null> {
  const retries = await dueRetries(ctx, webhook, resource, limit)
  if (retries !== null || resource === null) {
    return retries
  }

  return (
    (await newEvents(ctx, webhook, resource, limit)) ??
    (await userMessages(ctx, webhook, resource, limit)) ??
    (await replayed(ctx, webhook, resource, limit))
  )
}

async function dueRetries(
  { stores, now }: MessageContext,
  webhook: Webhook,
  resource: Resource | null,
  limit: number,
): Promise<Messages | null> {
  const due = await stores.webhookQueue.dueRetries(webhook, now(), limit)
  if (due.length === 0) {
    return null
  }

  const ids = due.map(({ eventId }) => eventId)
  const found =
    resource === null ? [] : await stores.events.find(resource, ids, historyKinds(webhook))
  const attempts = new Map(due.map(({ eventId, attempt }) => [eventId, attempt]))
  const items = found.map((event): Outgoing => {
    const failed = attempts.get(event.id) ?? 0
    return { kind: 'event', event, attempt: failed + 1 }
  })

  const existing = new Set(found.map(({ id }) => id))
  const vanished = ids.filter((id) => !existing.has(id))
  return { items, moves: {}, vanished, dropped: [], since: null }
}

async function newEvents(
  { stores }: MessageContext,
  webhook: Webhook,
  resource: Resource,
  limit: number,
): Promise<Messages | null> {
  const events = await readEvents(stores, webhook, resource, webhook.cursor, limit)
  const oldest = events.at(0)
  const newest = events.at(-1)
  if (oldest === undefined || newest === undefined) {
    return null
  }
  if (await hasManyRetries(stores, webhook)) {
    return null
  }

  return {
    items: events.map(firstAttempt),
    moves: { cursor: newest.id },
    vanished: [],
    dropped: [],
    since: oldest.createdAt,
  }
}

/** The events of a requested range that are not sent again yet. */
async function replayed(
  { stores }: MessageContext,
  webhook: Webhook,
  resource: Resource,
  limit: number,
): Promise<Messages | null> {
  const { replay } = webhook
  if (replay === null || (await hasManyRetries(stores, webhook))) {
    return null
  }

  const page = await readEvents(stores, webhook, resource, replay.after, limit)
  const events = page.filter(({ id }) => id <= replay.until)
  const last = events.at(-1)?.id ?? replay.until
  const isFinished = events.length < limit || last === replay.until
  return {
    items: events.map(firstAttempt),
    moves: { replayAfter: isFinished ? null : last },
    vanished: [],
    dropped: [],
    since: null,
  }
}

/** The events of the endpoint's kinds after an id. */
async function readEvents(
  { events }: Context['stores'],
  webhook: Webhook,
  resource: Resource,
  after: number,
  limit: number,
): Promise<AuthEvent[]> {
  const kinds = historyKinds(webhook)
  return kinds.length === 0 ? [] : events.page(resource, { after, limit, kinds })
}

/** Then the cursor, or a requested range, stays where it is: the history keeps what waits, not a row for each event. */
async function hasManyRetries(
  { webhooks }: Context['stores'],
  { tenantId, id }: Webhook,
): Promise<boolean> {
  const retries = await webhooks.countRetries(tenantId)
  return (retries.get(id) ?? 0) >= WEBHOOK_RETRIES_MAX
}

function firstAttempt(event: AuthEvent): Outgoing {
  return { kind: 'event', event, attempt: 1 }
}

/** Whether the endpoint has kinds that are no events of the history. */
export function getsUserMessages(webhook: Webhook): boolean {
  return historyKinds(webhook).length < webhook.events.length
}

async function userMessages(
  ctx: MessageContext,
  webhook: Webhook,
  resource: Resource,
  limit: number,
): Promise<Messages | null> {
  if (!getsUserMessages(webhook)) {
    return null
  }
  const due = await ctx.stores.userMessages.due(webhook, ctx.now(), limit)
  if (due.length === 0) {
    return null
  }

  const providerOf = await nameIssuers(ctx, webhook.tenantId)
  const items: Outgoing[] = []
  const dropped: UserMessage[] = []
  for (const message of due) {
    const item = webhook.events.includes(message.kind)
      ? await readMessage(ctx.stores, resource, message, providerOf)
      : null
    if (item === null) {
      dropped.push(message)
    } else {
      items.push(item)
    }
  }
  return { items, moves: {}, vanished: [], dropped, since: null }
}

/**
 * A message with its user, who is read when it is sent, so that none shows older data than one before it. null: the user is
 * gone, or has withdrawn the request.
 */
async function readMessage(
  stores: Context['stores'],
  resource: Resource,
  message: UserMessage,
  providerOf: NameIssuer,
): Promise<OutgoingMessage | null> {
  const attempt = message.attempt + 1
  if (message.kind === 'user.deleted') {
    return { kind: 'message', message, user: null, attempt }
  }

  const user = await readUser(stores, resource, message.userId, providerOf)
  if (user === null) {
    return null
  }
  if (message.kind === 'user.removal_requested' && user.removalDueAt === null) {
    return null
  }
  return { kind: 'message', message, user, attempt }
}

async function readUser(
  stores: Context['stores'],
  resource: Resource,
  userId: UserId,
  providerOf: NameIssuer,
): Promise<MessageUser | null> {
  const record = await stores.users.findRecord(resource, userId)
  if (record === null) {
    return null
  }

  const requestedAt = await stores.removals.requestedAt(resource, userId)
  const removalDueAt = requestedAt === null ? null : requestedAt + REMOVAL_MS
  return { record, removalDueAt, providerOf }
}
