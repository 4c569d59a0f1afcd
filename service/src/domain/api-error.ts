import type { ApiErrorCode } from '@gatehouse/contract'

interface ApiErrorOptions {
  /** For the caller, in `error.details`. Never contains a secret or the caller's input. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
}

/** An error response with a documented code. REST, MCP and pages each render it in their own form. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
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
