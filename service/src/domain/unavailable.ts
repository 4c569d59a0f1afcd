/**
 * Something we need is out of reach (a database, a full queue): a failure, not a refusal. It is answered 503, it has
 * consumed nothing, and the same request may be sent again.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterSeconds: number
  /** The log has its cause already, and a line for every request would bury it. */
  readonly logged: boolean

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number; logged?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
    this.logged = options.logged ?? false
  }
}
