/**
 * Callers that use one connection in turn, first in, first out. It passes directly to the next caller and is never free in
 * between, which keeps the order.
 */
export class ConnectionQueue {
  readonly #waiting: (() => void)[] = []
  #inUse = false

  get inUse(): boolean {
    return this.#inUse
  }

  async acquire(): Promise<void> {
    if (this.#inUse) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inUse = true
  }

  passOn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inUse = false
    else next()
  }
}
