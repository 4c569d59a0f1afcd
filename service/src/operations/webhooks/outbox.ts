import { WEBHOOK_RETRIES_MAX, type WebhookKind } from '@gatehouse-auth/contract'
import { REMOVAL_MS } from '../../domain/accounts/person.ts'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { TenantId, UserId } from '../../domain/ids.ts'
import type { Progress, QueuedWebhook, Resource } from '../../domain/stores/stores.ts'
import type { MessageUser, UserMessage } from '../../domain/webhooks/delivery.ts'
import { historyKinds, type Webhook, type WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { Limiter } from '../limits/limiter.ts'
import { nameIssuers } from '../providers/providers.ts'
import { WAITING_PER_OWNER } from './places.ts'

const WOKEN_MAX = 10_000
const WOKEN_PER_LOOK = 500
const DUE_PER_LOOK = 1_000
/** Endpoints whose history is checked without a reason, per look; all of them about once a minute. */
const CHECKED_PER_LOOK = 100
const CHECK_EVERY_MS = 60_000
const CHECKS_AT_ONCE = 4
type Woken = Map<TenantId, Set<WebhookKind>>

const START: WebhookRef = { tenantId: '', id: '' }

/**
 * Finds endpoints with something to send: those that want an event which this process has recorded, those whose retry or
 * lease is due, and, in a round through all of them, those with an event of a process that was killed before it could
 * deliver it.
 */
export class Outbox {
  readonly #ctx: Pick<Context, 'stores' | 'now'>
  readonly #checks = new Limiter(CHECKS_AT_ONCE)
  #woken: Woken = new Map()
  #later: Woken = new Map()
  #position = START
  #nextRoundAt = 0

  constructor(ctx: Pick<Context, 'stores' | 'now'>) {
    this.#ctx = ctx
  }

  /** Called for every event, so it only remembers tenant and kind. Beyond the maximum, the round finds it. */
  wake(tenantId: TenantId, kinds: Iterable<WebhookKind>): void {
    if (this.#woken.size < WOKEN_MAX) {
      add(this.#woken, tenantId, kinds)
    }
  }

  /** At the look after the next one. */
  wakeLater({ tenantId, events }: Webhook): void {
    add(this.#later, tenantId, events)
  }

  get hasNews(): boolean {
    return this.#woken.size > 0
  }

  async next(isRunning: (ref: WebhookRef) => boolean): Promise<QueuedWebhook[]> {
    const { webhookQueue } = this.#ctx.stores
    const woken = this.#takeWoken()
    try {
      // Those that wait for a place are among them, so no more of an owner are read than may wait.
      const due = await webhookQueue.listDue(this.#ctx.now(), WAITING_PER_OWNER, DUE_PER_LOOK)
      // Most events are refreshes, which few endpoints want: nothing more is read for those that do not.
      const kinds = new Set([...woken.values()].flatMap((each) => [...each]))
      const wanting = (await webhookQueue.listWanting([...woken.keys()], [...kinds])).filter(
        ({ tenantId, events }) => events.some((kind) => woken.get(tenantId)?.has(kind)),
      )
      const candidates = [...wanting, ...(await this.#nextOfRound())]
      const news = await Promise.all(
        candidates.map((webhook) =>
          this.#checks.run(() => this.#hasNews(webhook, isRunning(webhook))),
        ),
      )
      const found = [...due, ...candidates.filter((_, at) => news[at])]
      return [
        ...new Map(found.map((webhook) => [`${webhook.tenantId} ${webhook.id}`, webhook])).values(),
      ]
    } catch (error) {
      for (const [tenantId, kinds] of woken) {
        add(this.#later, tenantId, kinds)
      }
      throw error
    }
  }

  #takeWoken(): Woken {
    const woken: Woken = new Map(this.#woken.entries().take(WOKEN_PER_LOOK))
    for (const tenantId of woken.keys()) {
      this.#woken.delete(tenantId)
    }
    for (const [tenantId, kinds] of this.#later) {
      this.wake(tenantId, kinds)
    }
    this.#later = new Map()
    return woken
  }

  async #nextOfRound(): Promise<QueuedWebhook[]> {
    const now = this.#ctx.now()
    if (this.#position === START && now < this.#nextRoundAt) {
      return []
    }
    if (this.#position === START) {
      this.#nextRoundAt = now + CHECK_EVERY_MS
    }
    const page = await this.#ctx.stores.webhookQueue.page(this.#position, CHECKED_PER_LOOK)
    this.#position = page.length < CHECKED_PER_LOOK ? START : (page.at(-1) ?? START)
    return page
  }

  async #hasNews(webhook: Webhook, isRunning: boolean): Promise<boolean> {
    const { stores, now } = this.#ctx
    // An endpoint that fails is looked at when its back-off ends, not at every event.
    if (webhook.failures > 0 && webhook.nextLookAt !== null && webhook.nextLookAt > now()) {
      return false
    }
    if (!isRunning && webhook.leaseUntil !== null && webhook.leaseUntil > now()) {
      this.wakeLater(webhook)
      return false
    }
    const resource = await stores.resources.findActive(webhook.tenantId)
    if (resource === null) {
      return false
    }
    const query = { after: webhook.cursor, limit: 1, kinds: historyKinds(webhook) }
    if (query.kinds.length > 0 && (await stores.events.page(resource, query)).length > 0) {
      return true
    }
    return getsMessages(webhook) && (await stores.userMessages.due(webhook, now(), 1)).length > 0
  }
}

function add(woken: Woken, tenantId: TenantId, kinds: Iterable<WebhookKind>): void {
  const known = woken.get(tenantId)
  if (known === undefined) {
    woken.set(tenantId, new Set(kinds))
  } else {
    for (const kind of kinds) {
      known.add(kind)
    }
  }
}

const getsMessages = (webhook: Webhook): boolean =>
  historyKinds(webhook).length < webhook.events.length

/** An event of the history, or a message about a user. */
export type Outgoing = { readonly attempt: number } & (
  | { readonly event: AuthEvent }
  | { readonly message: UserMessage; readonly user: MessageUser | null }
)

/** What is sent at once, and how far the endpoint is when it is sent or recorded for a retry. */
export interface Messages {
  readonly items: readonly Outgoing[]
  readonly moves: Pick<Progress, 'cursor' | 'replayAfter'>
  /** Retries of events that no longer exist. */
  readonly vanished: readonly number[]
  /** About users who no longer exist, withdrawn, or of kinds that the endpoint no longer gets. */
  readonly dropped: readonly UserMessage[]
  /** When the oldest new event happened. */
  readonly since?: number
}

type Source<Of = Resource> = (
  ctx: Pick<Context, 'stores' | 'now' | 'identity'>,
  webhook: Webhook,
  resource: Of,
  limit: number,
) => Promise<Messages | null>

/** Due retries come first, then new events, messages about users, and a requested range; null: nothing to send. */
export const nextMessages: Source<Resource | null> = async (ctx, webhook, resource, limit) =>
  (await dueRetries(ctx, webhook, resource, limit)) ??
  (resource === null
    ? null
    : ((await newEvents(ctx, webhook, resource, limit)) ??
      (await userMessages(ctx, webhook, resource, limit)) ??
      (await replayed(ctx, webhook, resource, limit))))

const dueRetries: Source<Resource | null> = async ({ stores, now }, webhook, resource, limit) => {
  const due = await stores.webhookQueue.dueRetries(webhook, now(), limit)
  if (due.length === 0) {
    return null
  }
  const ids = due.map(({ eventId }) => eventId)
  const found =
    resource === null ? [] : await stores.events.find(resource, ids, historyKinds(webhook))
  const attempts = new Map(due.map(({ eventId, attempt }) => [eventId, attempt]))
  return {
    items: found.map((event) => ({ event, attempt: (attempts.get(event.id) ?? 0) + 1 })),
    moves: {},
    vanished: ids.filter((id) => !found.some((event) => event.id === id)),
    dropped: [],
  }
}

const newEvents: Source = async ({ stores }, webhook, resource, limit) => {
  const kinds = historyKinds(webhook)
  const events =
    kinds.length === 0
      ? []
      : await stores.events.page(resource, { after: webhook.cursor, limit, kinds })
  const cursor = events.at(-1)?.id
  if (cursor === undefined) {
    return null
  }
  if (await isFull(stores, webhook)) {
    return null
  }
  return {
    items: events.map(firstAttempt),
    moves: { cursor },
    vanished: [],
    dropped: [],
    ...sinceOf(events),
  }
}

/** With many failures the cursor, or a requested range, stays where it is: the history keeps what waits, not a row for each event. */
const isFull = async (
  { webhooks }: Context['stores'],
  { tenantId, id }: Webhook,
): Promise<boolean> => ((await webhooks.countRetries(tenantId)).get(id) ?? 0) >= WEBHOOK_RETRIES_MAX

const sinceOf = ([oldest]: readonly AuthEvent[]) =>
  oldest === undefined ? {} : { since: oldest.createdAt }

/** A user is read when a message is sent, so that none shows older data than one before it. */
const userMessages: Source = async (ctx, webhook, resource, limit) => {
  const { stores, now } = ctx
  const due = getsMessages(webhook) ? await stores.userMessages.due(webhook, now(), limit) : []
  if (due.length === 0) {
    return null
  }
  const providerOf = await nameIssuers(ctx, webhook.tenantId)
  const items: Outgoing[] = []
  const dropped: UserMessage[] = []
  for (const message of due) {
    const isDeleted = message.kind === 'user.deleted'
    const user = isDeleted ? null : await readUser(stores, resource, message.userId)
    const isWithdrawn = message.kind === 'user.removal_requested' && user?.removalDueAt === null
    const isOver = isWithdrawn || (user === null && !isDeleted)
    if (isOver || !webhook.events.includes(message.kind)) {
      dropped.push(message)
    } else {
      items.push({ message, user: user && { ...user, providerOf }, attempt: message.attempt + 1 })
    }
  }
  return { items, moves: {}, vanished: [], dropped }
}

async function readUser(
  stores: Context['stores'],
  resource: Resource,
  userId: UserId,
): Promise<Omit<MessageUser, 'providerOf'> | null> {
  const record = await stores.users.findRecord(resource, userId)
  const requestedAt = await stores.removals.requestedAt(resource, userId)
  return record && { record, removalDueAt: requestedAt === null ? null : requestedAt + REMOVAL_MS }
}

const replayed: Source = async ({ stores }, webhook, resource, limit) => {
  const { replay } = webhook
  if (replay === null || (await isFull(stores, webhook))) {
    return null
  }
  const kinds = historyKinds(webhook)
  const page =
    kinds.length === 0
      ? []
      : await stores.events.page(resource, { after: replay.after, limit, kinds })
  const events = page.filter(({ id }) => id <= replay.until)
  const last = events.at(-1)?.id ?? replay.until
  const isFinished = events.length < limit || last === replay.until
  return {
    items: events.map(firstAttempt),
    moves: { replayAfter: isFinished ? null : last },
    vanished: [],
    dropped: [],
  }
}

const firstAttempt = (event: AuthEvent): Outgoing => ({ event, attempt: 1 })
