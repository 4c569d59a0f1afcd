/** How long turns may be handed on before everybody else is let in. */
const AT_A_STRETCH_MS = 10

/**
 * Runs what it is given so many at a time, first come, first served. SQLite answers at once, so thousands in a row would
 * be one long step to whoever waits for something else: every few milliseconds the rest of the process has its turn.
 */
export class Limiter {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  #stretchBegan = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The turn passes from hand to hand without being free in between, so nobody can push in.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else this.#handOn(next)
    }
  }

  #handOn(next: () => void): void {
    if (performance.now() - this.#stretchBegan < AT_A_STRETCH_MS) {
      next()
      return
    }
    setImmediate(() => {
      this.#stretchBegan = performance.now()
      next()
    })
  }
}
