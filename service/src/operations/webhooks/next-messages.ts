import { WEBHOOK_RETRIES_MAX } from '@gatehouse/contract'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { Progress, Resource } from '../../domain/stores/stores.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'

/** Events to send at once, and how far the endpoint is when they are sent or recorded for a retry. */
export interface Messages {
  readonly events: readonly { readonly event: AuthEvent; readonly attempt: number }[]
  readonly moves: Pick<Progress, 'cursor' | 'replayAfter'>
  /** Retries of events that no longer exist. */
  readonly vanished: readonly number[]
  readonly isNew: boolean
}

/** Due retries come first, then new events, then a requested range; null: nothing to send. */
export async function nextMessages(
  ctx: Pick<Context, 'stores' | 'now'>,
  webhook: Webhook,
  resource: Resource | null,
  limit: number,
): Promise<Messages | null> {
  return (
    (await dueRetries(ctx, webhook, resource, limit)) ??
    (resource === null
      ? null
      : ((await newEvents(ctx, webhook, resource, limit)) ?? (await replayed(ctx, webhook, resource, limit))))
  )
}

async function dueRetries(
  { stores, now }: Pick<Context, 'stores' | 'now'>,
  webhook: Webhook,
  resource: Resource | null,
  limit: number,
): Promise<Messages | null> {
  const due = await stores.webhookQueue.dueRetries(webhook, now(), limit)
  if (due.length === 0) return null
  const ids = due.map(({ eventId }) => eventId)
  const found = resource === null ? [] : await stores.events.find(resource, ids, webhook.events)
  const attempts = new Map(due.map(({ eventId, attempt }) => [eventId, attempt]))
  return {
    events: found.map((event) => ({ event, attempt: (attempts.get(event.id) ?? 0) + 1 })),
    moves: {},
    vanished: ids.filter((id) => !found.some((event) => event.id === id)),
    isNew: false,
  }
}

async function newEvents(
  { stores }: Pick<Context, 'stores'>,
  webhook: Webhook,
  resource: Resource,
  limit: number,
): Promise<Messages | null> {
  const events = await stores.events.page(resource, { after: webhook.cursor, limit, kinds: webhook.events })
  const cursor = events.at(-1)?.id
  if (cursor === undefined) return null
  // The history keeps what waits: with many failures the cursor stays, instead of a row for every event.
  const waiting = (await stores.webhooks.countRetries(webhook.tenantId)).get(webhook.id) ?? 0
  if (waiting >= WEBHOOK_RETRIES_MAX) return null
  return { events: events.map(firstAttempt), moves: { cursor }, vanished: [], isNew: true }
}

async function replayed(
  { stores }: Pick<Context, 'stores'>,
  { replay, events: kinds }: Webhook,
  resource: Resource,
  limit: number,
): Promise<Messages | null> {
  if (replay === null) return null
  const page = await stores.events.page(resource, { after: replay.after, limit, kinds })
  const events = page.filter(({ id }) => id <= replay.until)
  const last = events.at(-1)?.id ?? replay.until
  const isFinished = events.length < limit || last === replay.until
  return {
    events: events.map(firstAttempt),
    moves: { replayAfter: isFinished ? null : last },
    vanished: [],
    isNew: false,
  }
}

const firstAttempt = (event: AuthEvent): Messages['events'][number] => ({ event, attempt: 1 })
