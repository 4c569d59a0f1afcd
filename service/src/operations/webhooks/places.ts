import type { TenantId } from '../../domain/ids.ts'
import type { Duration } from '../../domain/time.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'

/**
 * Endpoints with a lease of this process: the last places are for those that are known to be fast, the ones before them for
 * those that are not known to be slow. From `ENTERED_SHARED` on, each tenant may have one.
 */
const ENTERED_MAX = { slow: 192, others: 224, fast: 256 }
const ENTERED_SHARED = 64
const GUESTS_ENTERED_MAX = { fast: 48, others: 128 }
/** When an endpoint is looked at again that can't be among those. */
const CROWDED_LOOK_MS = 5_000
/** Deliveries that one endpoint gets at once. */
const AT_ONCE = 8
/** Endpoints that are sent to at a time. One that takes longer than `HELD_MS` gives its place to the next. */
const PLACES = 16
const HELD_MS = 100
/** The same for those that are slow or fail, each with one delivery. They keep their places. */
const SLOW_PLACES = 16
const SLOW_MS = 1_000
/**
 * Endpoints whose answer is awaited, with a place or without. The last twenty are for tenants that await none, and ten of these
 * for endpoints that are known to be fast: no number of new ones delays them.
 */
const OPEN_MAX = { others: 80, first: 90, firstOfFast: 100 }
/** The weight of the newest delivery in the average duration of an endpoint. */
const NEWEST = 0.3
const REMEMBERED_MAX = 10_000

type Known = Pick<Webhook, 'id' | 'failures'>

interface Sent extends Known, Pick<Webhook, 'tenantId'> {
  readonly isGuest: boolean
}

interface Waiting {
  readonly isGuest: boolean
  /** The tenant. Anyone can create guests, so all of them are one tenant here, except for their endpoints that are known to be fast. */
  readonly share: string
  readonly slow: boolean
  readonly fast: boolean
  start(): void
}

/**
 * Bounds the deliveries of a process, and shares them among tenants: a place that becomes free goes to the tenant with the
 * fewest deliveries under way, so one with many or slow endpoints uses what others leave and delays none of them.
 */
export class Places {
  readonly #durations = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  readonly #entered = new TenantCounts()
  readonly #open = new TenantCounts()
  readonly #guests = { fast: 0, others: 0, open: 0 }
  #held = 0
  #slowHeld = 0

  /** null: the process works on the endpoint, until `leave`. Otherwise when to look again: later, if its tenant has others here. */
  enter(webhook: Known & WebhookRef): Duration | null {
    const { all } = this.#entered
    if (all >= ENTERED_SHARED && this.#entered.of(webhook.tenantId) > 0) return CROWDED_LOOK_MS
    if (all >= ENTERED_MAX[this.#isSlow(webhook) ? 'slow' : this.#isFast(webhook) ? 'fast' : 'others']) return 0
    this.#entered.add(webhook.tenantId, 1)
    return null
  }

  /**
   * When to look again at an endpoint that has more to get, but must leave after a delivery because others like it can hardly
   * enter; null: it stays.
   */
  mustLeave(webhook: Known, isGuest: boolean): Duration | null {
    const kind = this.#isFast(webhook) ? 'fast' : 'others'
    if (isGuest && this.#guests[kind] >= GUESTS_ENTERED_MAX[kind]) return CROWDED_LOOK_MS
    return this.#entered.all >= ENTERED_MAX[kind === 'fast' ? 'others' : 'slow'] ? 0 : null
  }

  leave(tenantId: TenantId): void {
    this.#entered.add(tenantId, -1)
  }

  /** Works on an endpoint of a guest. Otherwise when to look again: the process works on enough of them. */
  async ofGuest<T>(webhook: Known, work: () => Promise<T>): Promise<T | Duration> {
    const kind = this.#isFast(webhook) ? 'fast' : 'others'
    if (this.#guests[kind] >= GUESTS_ENTERED_MAX[kind]) return CROWDED_LOOK_MS
    this.#guests[kind] += 1
    return work().finally(() => {
      this.#guests[kind] -= 1
    })
  }

  /** One at a time to an endpoint that is slow, fails or is not known yet, so that it occupies one connection. */
  atOnce(webhook: Known): number {
    return this.#isFast(webhook) ? AT_ONCE : 1
  }

  async run<T>(webhook: Sent, send: () => Promise<T>): Promise<T> {
    const [slow, fast] = [this.#isSlow(webhook), this.#isFast(webhook)]
    const { isGuest } = webhook
    const share = isGuest && !fast ? GUESTS : webhook.tenantId
    await new Promise<void>((start) => {
      this.#waiting.push({ isGuest, share, slow, fast, start })
      this.#startNext()
    })
    let holdsPlace = true
    const free = (): void => {
      if (!holdsPlace) return
      holdsPlace = false
      if (slow) this.#slowHeld -= 1
      else this.#held -= 1
      this.#startNext()
    }
    const timer = slow ? undefined : setTimeout(free, HELD_MS)
    const began = performance.now()
    try {
      return await send()
    } finally {
      this.#remember(webhook.id, performance.now() - began)
      clearTimeout(timer)
      this.#open.add(share, -1)
      if (isGuest) this.#guests.open -= 1
      free()
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#takeNext(); next !== null; next = this.#takeNext()) {
      if (next.slow) this.#slowHeld += 1
      else this.#held += 1
      this.#open.add(next.share, 1)
      if (next.isGuest) this.#guests.open += 1
      next.start()
    }
  }

  /** Of the tenants with the fewest open deliveries, the one that waits longest; endpoints that are known to be fast first. */
  #takeNext(): Waiting | null {
    const rankOf = ({ share, fast }: Waiting): number => this.#open.of(share) + (fast ? 0 : 0.5)
    let next: Waiting | null = null
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting)) continue
      if (next === null || rankOf(waiting) < rankOf(next)) next = waiting
    }
    if (next !== null) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next
  }

  #mayStart({ isGuest, share, slow, fast }: Waiting): boolean {
    if (slow ? this.#slowHeld >= SLOW_PLACES : this.#held >= PLACES) return false
    const { others, first, firstOfFast } = OPEN_MAX
    // An endpoint that was fast may stop answering.
    if (isGuest && this.#guests.open >= others) return false
    return this.#open.all < (this.#open.of(share) > 0 ? others : fast ? firstOfFast : first)
  }

  #isSlow({ id, failures }: Known): boolean {
    return failures > 0 || (this.#durations.get(id) ?? 0) >= SLOW_MS
  }

  #isFast(webhook: Known): boolean {
    return this.#durations.has(webhook.id) && !this.#isSlow(webhook)
  }

  #remember(id: string, ms: number): void {
    const known = this.#durations.get(id)
    // The last one used is the last one forgotten.
    this.#durations.delete(id)
    this.#durations.set(id, known === undefined ? ms : known + NEWEST * (ms - known))
    const [oldest] = this.#durations.keys()
    if (this.#durations.size > REMEMBERED_MAX && oldest !== undefined) this.#durations.delete(oldest)
  }
}

/** No id of a tenant. */
const GUESTS = 'guests'

/** A count for each tenant, and their sum. */
class TenantCounts {
  readonly #counts = new Map<string, number>()
  #all = 0

  get all(): number {
    return this.#all
  }

  of(tenantId: string): number {
    return this.#counts.get(tenantId) ?? 0
  }

  add(tenantId: string, change: 1 | -1): void {
    const count = this.of(tenantId) + change
    this.#all += change
    if (count === 0) this.#counts.delete(tenantId)
    else this.#counts.set(tenantId, count)
  }
}
