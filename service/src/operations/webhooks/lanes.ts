import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { Limiter } from '../limiter.ts'

/** Deliveries that one endpoint gets at once. */
const AT_ONCE = 8
/** Endpoints that are sent to at a time: about 50 deliveries. */
const FAST_ENDPOINTS = 6
/** The same for those that are slow or fail, each with one delivery. */
const SLOW_ENDPOINTS = 8
const SLOW_MS = 3_000
const REMEMBERED_MAX = 10_000

/**
 * Bounds the deliveries of a process, so that an endpoint that never answers delays no other. Endpoints that were slow, or
 * fail, share places of their own; one that turns out to be slow gives up its place among the others after three seconds.
 */
export class Lanes {
  readonly #fast = new Limiter(FAST_ENDPOINTS)
  readonly #slow = new Limiter(SLOW_ENDPOINTS)
  readonly #wereSlow = new Set<string>()

  /** One at a time to an endpoint that fails, so that one that is down occupies one connection. */
  atOnce(webhook: Webhook): number {
    return this.#isSlow(webhook) ? 1 : AT_ONCE
  }

  async run<T>(webhook: Webhook, send: () => Promise<T>): Promise<T> {
    if (this.#isSlow(webhook)) return this.#slow.run(() => this.#timed(webhook, send))
    const { promise: result, resolve, reject } = Promise.withResolvers<T>()
    await this.#fast.run(() => {
      this.#timed(webhook, send).then(resolve, reject)
      return settledWithin(result, SLOW_MS)
    })
    return result
  }

  #isSlow({ id, failures }: Webhook): boolean {
    return failures > 0 || this.#wereSlow.has(id)
  }

  async #timed<T>({ id }: Webhook, send: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      return await send()
    } finally {
      if (performance.now() - started < SLOW_MS) this.#wereSlow.delete(id)
      else if (this.#wereSlow.size < REMEMBERED_MAX) this.#wereSlow.add(id)
    }
  }
}

/** Resolves when the promise is settled, or after this time. */
function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    promise.then(done, done)
  })
}
