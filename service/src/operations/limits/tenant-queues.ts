import { Unavailable } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'

/** How many requests of one tenant run and wait at a time. */
interface Share {
  /** Running, while only this tenant sends requests. */
  readonly alone: number
  /** Running, while other tenants do too. */
  readonly beside: number
  /** Running and waiting. With a slow database, a longer queue would only add latency. */
  readonly pending: number
}

export const SHARES = {
  /** Refreshes that wait together share a statement and a commit, so a tenant that is alone may fill a batch. */
  refresh: { alone: 32, beside: 2, pending: 1_024 },
  /** Each needs a connection (SQLite has one), and a tenant's events commit one after the other. */
  start: { alone: 2, beside: 1, pending: 256 },
} as const satisfies Readonly<Record<string, Share>>

/** A tenant is alone if no other has sent a request for this long. */
const ALONE_AFTER_MS = 1_000
/** After an outage in which requests took seconds, the queue must not rest for seconds as well. */
const REST_MAX_MS = 50

interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Queues in front of the database, one per tenant and kind of request. In a single queue, a tenant that sends thousands of
 * requests at once would make the others wait for all of them (docs/scaling.md, "One busy tenant").
 *
 * Beside other tenants, a queue that has a backlog rests after each request for as long as the request took, so that it
 * uses at most half of the time while the database is well.
 */
export class TenantQueues<Kind extends string> {
  readonly #shares: Readonly<Record<Kind, Share>>
  readonly #now: () => number
  readonly #queues = new Map<string, Queue>()
  #lastTenant: TenantId | undefined
  #tenantChangedAt = Number.NEGATIVE_INFINITY

  constructor(shares: Readonly<Record<Kind, Share>>, now = () => performance.now()) {
    this.#shares = shares
    this.#now = now
  }

  async run<T>(kind: Kind, tenantId: TenantId, work: () => Promise<T>): Promise<T> {
    const share = this.#shares[kind]
    const key = `${kind} ${tenantId}`
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    if (queue.running + queue.waiting.length >= share.pending) {
      throw new Unavailable('too many requests of this tenant are waiting')
    }
    let began = this.#now()
    this.#noteTenant(tenantId, began)
    if (queue.running === 0) {
      this.#queues.set(key, queue)
    }
    if (queue.running < this.#limit(share, began)) {
      queue.running += 1
    } else {
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
      began = this.#now()
    }
    try {
      return await work()
    } finally {
      const rest = queue.waiting.length > 0 ? this.#restAfter(began) : 0
      if (rest > 0) {
        setTimeout(() => this.#leave(key, queue, share), rest)
      } else {
        this.#leave(key, queue, share)
      }
    }
  }

  #restAfter(began: number): number {
    const now = this.#now()
    return this.#isShared(now) ? Math.min(now - began, REST_MAX_MS) : 0
  }

  #leave(key: string, queue: Queue, share: Share): void {
    queue.running -= 1
    while (queue.waiting.length > 0 && queue.running < this.#limit(share, this.#now())) {
      // Counted here, so that a request that arrives before it runs cannot overtake it.
      queue.running += 1
      queue.waiting.shift()?.()
    }
    if (queue.running === 0) {
      this.#queues.delete(key)
    }
  }

  #limit({ alone, beside }: Share, now: number): number {
    return this.#isShared(now) ? beside : alone
  }

  #noteTenant(tenantId: TenantId, now: number): void {
    if (this.#lastTenant !== undefined && this.#lastTenant !== tenantId) {
      this.#tenantChangedAt = now
    }
    this.#lastTenant = tenantId
  }

  #isShared(now: number): boolean {
    return now - this.#tenantChangedAt < ALONE_AFTER_MS
  }
}
