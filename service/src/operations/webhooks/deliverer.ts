import type { WebhookKind } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { QueuedWebhook } from '../../domain/stores/stores.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { type DeliveryContext, deliverTo } from './deliver.ts'
import { Outbox } from './outbox.ts'
import { Places, type Turn } from './places.ts'

const TICK_MS = 1_000
/** After an event of this process: at once, but not for every single one of many. */
const WAKE_MS = 100
/** How long deliveries that have begun may take when the process stops. */
const STOP_MS = 3_000

/**
 * Delivers webhooks in the background: every process looks for endpoints with something to send, and works on those that it
 * can lease. The history is the outbox, so recording an event neither writes nor waits for anything here.
 */
export class Deliverer {
  readonly #ctx: DeliveryContext & Pick<Context, 'log'>
  readonly #outbox: Outbox
  readonly #places = new Places()
  readonly #running = new Map<string, Promise<void>>()
  /** Endpoints that were woken while they were running: they are looked at once more. */
  readonly #again = new Map<string, Webhook>()
  /** The age in milliseconds of the oldest event that an endpoint gets now. */
  readonly #behind = new Map<string, number>()
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  /** The look that an event of this process causes before the next tick. */
  #early: NodeJS.Timeout | undefined
  /** An endpoint has more to get, and left it to the next look. */
  #hasMore = false
  #ticking = false
  #closing = false

  constructor(ctx: DeliveryContext & Pick<Context, 'log'>) {
    this.#ctx = ctx
    this.#outbox = new Outbox(ctx)
  }

  /** Says that the tenant may have something of these kinds to send. */
  wake(tenantId: TenantId, kinds: readonly WebhookKind[]): void {
    this.#outbox.wake(tenantId, kinds)
    if (this.#timer !== undefined) {
      this.#early ??= setTimeout(() => void this.#tick(), WAKE_MS)
    }
  }

  start(): void {
    this.#timer = setInterval(() => void this.#tick(), TICK_MS)
  }

  /** Delivers what is due. Lets another instance of this process deliver, too. */
  async settle(): Promise<void> {
    do {
      await this.#tick()
      while (this.#running.size > 0) {
        await Promise.all(this.#running.values())
      }
      await yieldToEventLoop()
    } while ((this.#outbox.hasNews || this.#hasMore) && !this.#closing)
  }

  /** For the metrics: endpoints that this process works on, and the age of the oldest event that is sent now. */
  get backlog(): { readonly endpoints: number; readonly lagMs: number } {
    return { endpoints: this.#running.size, lagMs: Math.max(0, ...this.#behind.values()) }
  }

  /** Finishes what has begun, or gives it up after a few seconds: another process sends it again. */
  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#timer)
    clearTimeout(this.#early)
    const timer = setTimeout(() => this.#stop.abort(), STOP_MS)
    while (this.#running.size > 0) {
      await Promise.all(this.#running.values())
    }
    clearTimeout(timer)
  }

  async #tick(): Promise<void> {
    this.#early = undefined
    if (this.#ticking || this.#closing) {
      return
    }
    this.#ticking = true
    try {
      this.#hasMore = false
      const found = await this.#outbox.next((ref) => this.#running.has(keyOf(ref)))
      for (const webhook of found) {
        this.#offer(webhook)
      }
      // After all of them: the order in which they were found doesn't decide which owner is next.
      this.#startNext()
    } catch (error) {
      this.#report(error)
    } finally {
      this.#ticking = false
    }
  }

  #offer(webhook: QueuedWebhook): void {
    const key = keyOf(webhook)
    if (this.#running.has(key)) {
      this.#again.set(key, webhook)
      return
    }

    if (!this.#places.wait(webhook)) {
      this.#hasMore = true
      void this.#keepDue(webhook)
    }
  }

  /** Too many endpoints of its owner wait: this one is due from now on, so a later look finds it. */
  async #keepDue(webhook: QueuedWebhook): Promise<void> {
    const now = this.#ctx.now()
    const isDue = webhook.nextLookAt !== null && webhook.nextLookAt <= now
    if (isDue) {
      return
    }

    try {
      await this.#ctx.stores.webhookQueue.setNextLook(webhook, now)
    } catch (error) {
      this.#report(error)
    }
  }

  #startNext(): void {
    while (!this.#closing) {
      const turn = this.#places.take()
      if (turn === undefined) {
        return
      }
      this.#running.set(keyOf(turn.webhook), this.#run(turn))
    }
  }

  async #run(turn: Turn): Promise<void> {
    const key = keyOf(turn.webhook)
    try {
      await this.#deliver(turn)
    } catch (error) {
      this.#report(error)
    } finally {
      this.#running.delete(key)
      this.#behind.delete(key)
      this.#places.leave(turn)
    }

    const again = this.#again.get(key)
    if (again !== undefined) {
      this.#again.delete(key)
      this.#outbox.wake(again.tenantId, again.events)
    }
    this.#startNext()
  }

  async #deliver(turn: Turn): Promise<void> {
    const { webhook } = turn
    const delivered = await deliverTo(this.#ctx, webhook, {
      places: this.#places,
      turn,
      stop: this.#stop.signal,
      isClosing: () => this.#closing,
      behind: (ms) => void this.#behind.set(keyOf(webhook), ms),
    })

    if (delivered === 'more') {
      this.#hasMore = true
    }
    // The other process may have read the history before the event that woke this one.
    if (delivered === 'leased-elsewhere') {
      this.#outbox.wakeLater(webhook)
    }
  }

  #report(error: unknown): void {
    // Readiness and requests tell that the database is out of reach; a line a second would not help.
    if (!this.#closing && !(error instanceof Unavailable)) {
      this.#ctx.log.warn('webhooks could not be delivered; trying again', error)
    }
  }
}

function keyOf({ tenantId, id }: WebhookRef): string {
  return `${tenantId} ${id}`
}
