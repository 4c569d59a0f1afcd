import type { ApiErrorCode } from '@gatehouse/contract'

interface ApiErrorOptions {
  /** Facts for the caller, shown as `error.details`. Never a secret, never the caller's own input back. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
}

/** We say no. The code is its identity; each surface turns it into its own protocol. */
export class ApiError extends Error {
  override readonly name = 'Refusal'
  readonly code: ApiErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ApiErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
