import type { ApiErrorCode } from '@gatehouse/contract'
import type { Instant } from './time.ts'

interface ApiErrorOptions {
  /** For the caller, in `error.details`. Never contains a secret or the caller's input. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** When the guest tenant ends, for pages, which name the day. Not part of the response body. */
  readonly tenantEndsAt?: Instant | null
}

/** An error response with a documented code. REST, MCP and pages each render it in their own form. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly tenantEndsAt: Instant | null

  constructor(code: ApiErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.tenantEndsAt = options.tenantEndsAt ?? null
  }
}
