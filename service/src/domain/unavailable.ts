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

/**
 * The connection to the database broke during a commit, and the outcome could not be looked up: the change may have been
 * made. The response must not say that nothing was consumed.
 */
export class OutcomeUnknown extends Unavailable {
  /** For the caller: how to find out. null: sending the request again is safe. */
  readonly advice: string | null

  constructor({ cause, advice = null }: { cause: unknown; advice?: string | null }) {
    super('the outcome of a commit is unknown', { cause, retryAfterSeconds: 5 })
    this.advice = advice
  }
}
