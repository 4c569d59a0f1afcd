import type { TenantId } from '../../domain/ids.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'

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
  readonly #open = new Map<TenantId, number>()
  #allOpen = 0
  #held = 0
  #slowHeld = 0

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
      this.#countOpen(tenantId, -1)
      free()
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#takeNext(); next !== null; next = this.#takeNext()) {
      if (next.slow) this.#slowHeld += 1
      else this.#held += 1
      this.#countOpen(next.tenantId, 1)
      next.start()
    }
  }

  /** Of the tenants with the fewest open deliveries, the one that waits longest. */
  #takeNext(): Waiting | null {
    let next: Waiting | null = null
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting)) continue
      if (next === null || this.#openOf(waiting.tenantId) < this.#openOf(next.tenantId)) next = waiting
    }
    if (next !== null) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next
  }

  #mayStart({ tenantId, slow }: Waiting): boolean {
    if (slow ? this.#slowHeld >= SLOW_PLACES : this.#held >= PLACES) return false
    return this.#allOpen < (this.#openOf(tenantId) === 0 ? OPEN_MAX : OPEN_MAX - OPEN_RESERVED)
  }

  #openOf(tenantId: TenantId): number {
    return this.#open.get(tenantId) ?? 0
  }

  #countOpen(tenantId: TenantId, change: 1 | -1): void {
    const open = this.#openOf(tenantId) + change
    this.#allOpen += change
    if (open === 0) this.#open.delete(tenantId)
    else this.#open.set(tenantId, open)
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

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
