/** How long queued work may run before the event loop gets a turn. */
const YIELD_AFTER_MS = 10

/**
 * Runs at most `concurrency` functions at a time, in FIFO order. SQLite queries resolve without I/O, so a long queue would
 * block the event loop; the limiter yields to it every few milliseconds.
 */
export class Limiter {
  readonly #concurrency: number
  readonly #queue: (() => void)[] = []
  #running = 0
  #lastYield = Number.NEGATIVE_INFINITY

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) {
      this.#running += 1
    } else {
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The slot passes directly to the next in the queue, so that a new call cannot overtake it.
      const next = this.#queue.shift()
      if (next === undefined) {
        this.#running -= 1
      } else {
        this.#start(next)
      }
    }
  }

  #start(next: () => void): void {
    if (performance.now() - this.#lastYield < YIELD_AFTER_MS) {
      next()
      return
    }
    setImmediate(() => {
      this.#lastYield = performance.now()
      next()
    })
  }
}
