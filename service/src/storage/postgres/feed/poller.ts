import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs polls one at a time and at least `minIntervalMs` apart. A poll that is requested while another runs starts after it,
 * so `poll()` always resolves after a poll that began later than the call. Never rejects.
 */
export class Poller {
  readonly #pollOnce: () => Promise<void>
  readonly #minIntervalMs: number
  readonly #closed: AbortSignal
  #running: Promise<void> | undefined
  #requested = false
  #startedAt = Number.NEGATIVE_INFINITY

  /** `pollOnce` must not reject. */
  constructor(pollOnce: () => Promise<void>, minIntervalMs: number, closed: AbortSignal) {
    this.#pollOnce = pollOnce
    this.#minIntervalMs = minIntervalMs
    this.#closed = closed
  }

  poll(): Promise<void> {
    this.#requested = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Requests one more poll, if one is running; otherwise with the next `poll()`. */
  pollAgain(): void {
    this.#requested = true
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#requested && !this.#closed.aborted) {
      const wait = this.#minIntervalMs - (performance.now() - this.#startedAt)
      if (wait > 0) await sleep(wait, undefined, { ref: false, signal: this.#closed }).catch(() => {})
      this.#requested = false
      this.#startedAt = performance.now()
      await this.#pollOnce()
    }
  }
}
