const HEARTBEAT_MS = 250
const STALLED_AFTER_MS = 1_500
const CATCH_UP_TIMEOUT_MS = 1_000

/**
 * Detects that the process was stopped by a signal, suspended with its machine, or blocked for too long. Other instances
 * may have revoked tokens meanwhile, and Node reads a request that waits in a socket before it fires a late timer. So every
 * response from memory checks `stalled()` first.
 *
 * Both clocks are compared, because the monotonic clock stops while a machine is suspended and the wall clock does not.
 */
export class StallDetector {
  readonly #catchUp: () => Promise<void>
  readonly #heartbeat: NodeJS.Timeout
  #monotonic = performance.now()
  #wall = Date.now()
  #catchingUp: Promise<void> | undefined

  constructor(catchUp: () => Promise<void>) {
    this.#catchUp = catchUp
    this.#heartbeat = setInterval(() => {
      // The timer may fire first after a stall; it must not reset the stall flag.
      if (!this.stalled()) {
        this.#reset()
      } else {
        void this.caughtUp()
      }
    }, HEARTBEAT_MS).unref()
  }

  stalled(): boolean {
    return (
      performance.now() - this.#monotonic > STALLED_AFTER_MS ||
      Date.now() - this.#wall > STALLED_AFTER_MS
    )
  }

  /** Resolves when the revocations of other instances are applied, or after a second if the database is unavailable. */
  async caughtUp(): Promise<void> {
    if (!this.stalled()) {
      return
    }
    this.#catchingUp ??= this.#catchUpOrTimeOut()
    await this.#catchingUp
  }

  close(): void {
    clearInterval(this.#heartbeat)
  }

  async #catchUpOrTimeOut(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CATCH_UP_TIMEOUT_MS).unref()
    })
    await Promise.race([this.#catchUp().catch(() => {}), timeout])
    clearTimeout(timer)
    this.#catchingUp = undefined
    this.#reset()
  }

  #reset(): void {
    this.#monotonic = performance.now()
    this.#wall = Date.now()
  }
}
