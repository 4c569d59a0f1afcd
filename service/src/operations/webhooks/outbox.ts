import type { WebhookKind } from '@gatehouse-auth/contract'
import type { TenantId } from '../../domain/ids.ts'
import type { QueuedWebhook } from '../../domain/stores/stores.ts'
import { historyKinds, type Webhook, type WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { Limiter } from '../limits/limiter.ts'
import { getsUserMessages } from './messages.ts'
import { WAITING_PER_OWNER } from './places.ts'

const WOKEN_MAX = 10_000
const WOKEN_PER_LOOK = 500
const DUE_PER_LOOK = 1_000
/** Endpoints whose history is checked without a reason, per look; all of them about once a minute. */
const CHECKED_PER_LOOK = 100
const CHECK_EVERY_MS = 60_000
const CHECKS_AT_ONCE = 4

const START: WebhookRef = { tenantId: '', id: '' }

/** The kinds of what a tenant may have to send. */
type Woken = Map<TenantId, Set<WebhookKind>>

type IsRunning = (ref: WebhookRef) => boolean

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
  /** The last endpoint that the round has checked. */
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

  /** Looks for endpoints. What a look was about that fails is looked at again after the next one. */
  async next(isRunning: IsRunning): Promise<QueuedWebhook[]> {
    const woken = this.#takeWoken()
    try {
      return await this.#look(woken, isRunning)
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

  async #look(woken: Woken, isRunning: IsRunning): Promise<QueuedWebhook[]> {
    const { stores, now } = this.#ctx
    // Those that wait for a place are among them, so no more of an owner are read than may wait.
    const due = await stores.webhookQueue.listDue(now(), WAITING_PER_OWNER, DUE_PER_LOOK)

    const wanting = await this.#listWanting(woken)
    const ofRound = await this.#nextOfRound()
    const withNews = await this.#filterNews([...wanting, ...ofRound], isRunning)
    return withoutRepeats([...due, ...withNews])
  }

  /** Most events are refreshes, which few endpoints want: nothing more is read for those that do not. */
  async #listWanting(woken: Woken): Promise<QueuedWebhook[]> {
    const kinds = new Set<WebhookKind>()
    for (const each of woken.values()) {
      for (const kind of each) {
        kinds.add(kind)
      }
    }

    const { webhookQueue } = this.#ctx.stores
    const wanting = await webhookQueue.listWanting([...woken.keys()], [...kinds])
    // Another tenant may have caused the kind that an endpoint wants.
    return wanting.filter(({ tenantId, events }) =>
      events.some((kind) => woken.get(tenantId)?.has(kind)),
    )
  }

  async #nextOfRound(): Promise<QueuedWebhook[]> {
    const now = this.#ctx.now()
    if (this.#position === START) {
      if (now < this.#nextRoundAt) {
        return []
      }
      this.#nextRoundAt = now + CHECK_EVERY_MS
    }

    const page = await this.#ctx.stores.webhookQueue.page(this.#position, CHECKED_PER_LOOK)
    const last = page.at(-1)
    const isLastPage = page.length < CHECKED_PER_LOOK || last === undefined
    this.#position = isLastPage ? START : last
    return page
  }

  async #filterNews(
    webhooks: readonly QueuedWebhook[],
    isRunning: IsRunning,
  ): Promise<QueuedWebhook[]> {
    const hasNews = await Promise.all(
      webhooks.map((webhook) => this.#checks.run(() => this.#hasNews(webhook, isRunning(webhook)))),
    )
    return webhooks.filter((_, index) => hasNews[index])
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

    const kinds = historyKinds(webhook)
    if (kinds.length > 0) {
      const events = await stores.events.page(resource, { after: webhook.cursor, limit: 1, kinds })
      if (events.length > 0) {
        return true
      }
    }

    if (!getsUserMessages(webhook)) {
      return false
    }
    const messages = await stores.userMessages.due(webhook, now(), 1)
    return messages.length > 0
  }
}

function add(woken: Woken, tenantId: TenantId, kinds: Iterable<WebhookKind>): void {
  const known = woken.get(tenantId)
  if (known === undefined) {
    woken.set(tenantId, new Set(kinds))
    return
  }

  for (const kind of kinds) {
    known.add(kind)
  }
}

/** Each endpoint once, where it was found first. */
function withoutRepeats(webhooks: readonly QueuedWebhook[]): QueuedWebhook[] {
  const byKey = new Map<string, QueuedWebhook>()
  for (const webhook of webhooks) {
    byKey.set(`${webhook.tenantId} ${webhook.id}`, webhook)
  }
  return [...byKey.values()]
}
