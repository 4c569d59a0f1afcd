const FLUSH_EVERY_MS = 1_000

/** Calls `write` every second and at the end, one call after another: for records that are written after the responses. */
export class WriteBehind {
  readonly #write: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  /** `write` must not reject. */
  constructor(write: () => Promise<void>) {
    this.#write = write
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref()
  }

  /** Resolves when every record added before is written or dropped. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
