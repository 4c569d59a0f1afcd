/**
 * Something we need is out of reach (a database, a full queue): a failure, not a refusal. It is answered 503, it has
 * consumed nothing, and the same request may be sent again.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterSeconds: number

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
  }
}
