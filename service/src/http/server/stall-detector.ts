const BEAT_MS = 250
const NOTICED_AFTER_MS = 1_500
const CAUGHT_UP_WITHIN_MS = 1_000

/**
 * Notices that the process stood still: stopped by a signal, suspended with its machine, or busy for too long. Other
 * instances may have revoked tokens meanwhile, and a question that was waiting in a socket is read before the timer
 * that would have told us. So whoever answers from memory asks here first.
 *
 * Both clocks, because the monotonic one stands still with a suspended machine and the other does not.
 */
export class StallDetector {
  readonly #catchUp: () => Promise<void>
  readonly #beating: NodeJS.Timeout
  #monotonic = performance.now()
  #wall = Date.now()
  #ending: Promise<void> | undefined

  constructor(catchUp: () => Promise<void>) {
    this.#catchUp = catchUp
    this.#beating = setInterval(() => {
      // A beat that is itself late is the first thing to run after a standstill, and must not hide it.
      if (!this.stalled()) this.#beat()
      else void this.caughtUp()
    }, BEAT_MS).unref()
  }

  stalled(): boolean {
    return performance.now() - this.#monotonic > NOTICED_AFTER_MS || Date.now() - this.#wall > NOTICED_AFTER_MS
  }

  /** Resolves when this process knows what the others did. A database that is away is not waited for (2b). */
  async caughtUp(): Promise<void> {
    if (!this.stalled()) return
    this.#ending ??= this.#end()
    await this.#ending
  }

  close(): void {
    clearInterval(this.#beating)
  }

  async #end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CAUGHT_UP_WITHIN_MS).unref()
    })
    await Promise.race([this.#catchUp().catch(() => {}), late])
    clearTimeout(timer)
    this.#ending = undefined
    this.#beat()
  }

  #beat(): void {
    this.#monotonic = performance.now()
    this.#wall = Date.now()
  }
}
