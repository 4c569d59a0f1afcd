import type { TenantId } from '../../domain/ids.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'

/** Endpoints with a lease of this process. From `ENTERED_SHARED` on, each tenant may have one. */
const ENTERED_MAX = 256
const ENTERED_SHARED = 64
/** Deliveries that one endpoint gets at once. */
const AT_ONCE = 8
/** Endpoints that are sent to at a time. One that takes longer than `HELD_MS` gives its place to the next. */
const PLACES = 16
const HELD_MS = 100
/** The same for those that are slow or fail, each with one delivery. They keep their places. */
const SLOW_PLACES = 16
const SLOW_MS = 1_000
/** Endpoints whose answer is awaited, with a place or without. The last ones are for tenants that await none. */
const OPEN_MAX = 100
const OPEN_RESERVED = 20
/** The weight of the newest delivery in the average duration of an endpoint. */
const NEWEST = 0.3
const REMEMBERED_MAX = 10_000

type Sent = Pick<Webhook, 'tenantId' | 'id' | 'failures'>

interface Waiting {
  readonly tenantId: TenantId
  readonly slow: boolean
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
  #held = 0
  #slowHeld = 0

  /** Whether the process may work on one more endpoint of the tenant, until `leave`. */
  enter(tenantId: TenantId): boolean {
    const { all } = this.#entered
    if (all >= ENTERED_MAX || (all >= ENTERED_SHARED && this.#entered.of(tenantId) > 0)) return false
    this.#entered.add(tenantId, 1)
    return true
  }

  leave(tenantId: TenantId): void {
    this.#entered.add(tenantId, -1)
  }

  /** One at a time to an endpoint that is slow, fails or is not known yet, so that it occupies one connection. */
  atOnce(webhook: Sent): number {
    return this.#isSlow(webhook) || !this.#durations.has(webhook.id) ? 1 : AT_ONCE
  }

  async run<T>(webhook: Sent, send: () => Promise<T>): Promise<T> {
    const { tenantId } = webhook
    const slow = this.#isSlow(webhook)
    await new Promise<void>((start) => {
      this.#waiting.push({ tenantId, slow, start })
      this.#startNext()
    })
    const free = once(() => {
      if (slow) this.#slowHeld -= 1
      else this.#held -= 1
      this.#startNext()
    })
    const timer = slow ? undefined : setTimeout(free, HELD_MS)
    const began = performance.now()
    try {
      return await send()
    } finally {
      this.#remember(webhook.id, performance.now() - began)
      clearTimeout(timer)
      this.#open.add(tenantId, -1)
      free()
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#takeNext(); next !== null; next = this.#takeNext()) {
      if (next.slow) this.#slowHeld += 1
      else this.#held += 1
      this.#open.add(next.tenantId, 1)
      next.start()
    }
  }

  /** Of the tenants with the fewest open deliveries, the one that waits longest. */
  #takeNext(): Waiting | null {
    let next: Waiting | null = null
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting)) continue
      if (next === null || this.#open.of(waiting.tenantId) < this.#open.of(next.tenantId)) next = waiting
    }
    if (next !== null) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next
  }

  #mayStart({ tenantId, slow }: Waiting): boolean {
    if (slow ? this.#slowHeld >= SLOW_PLACES : this.#held >= PLACES) return false
    return this.#open.all < (this.#open.of(tenantId) === 0 ? OPEN_MAX : OPEN_MAX - OPEN_RESERVED)
  }

  #isSlow({ id, failures }: Sent): boolean {
    return failures > 0 || (this.#durations.get(id) ?? 0) >= SLOW_MS
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

/** A count for each tenant, and their sum. */
class TenantCounts {
  readonly #counts = new Map<TenantId, number>()
  #all = 0

  get all(): number {
    return this.#all
  }

  of(tenantId: TenantId): number {
    return this.#counts.get(tenantId) ?? 0
  }

  add(tenantId: TenantId, change: 1 | -1): void {
    const count = this.of(tenantId) + change
    this.#all += change
    if (count === 0) this.#counts.delete(tenantId)
    else this.#counts.set(tenantId, count)
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
