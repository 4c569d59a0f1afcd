/**
 * A dependency is unreachable or a queue is full. The response is 503: nothing was consumed, and the same request may be
 * retried.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterSeconds: number
  /** The cause is already in the log, so the request does not log it again. */
  readonly logged: boolean

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number; logged?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
    this.logged = options.logged ?? false
  }
}
