import { recordOf } from '../encoding.ts'
import * as errors from './errors.ts'

type ErrorClass = new (message: string, details: errors.ResponseDetails) => errors.GatehouseError

export type ErrorClasses = Readonly<Record<string, ErrorClass>>

/** The error codes of verify, refresh and logout. A test compares them with the contract. */
export const API_ERRORS = {
  tenantPaused: errors.TenantPausedError,
  tenantSuspended: errors.TenantSuspendedError,
  tenantExpired: errors.TenantExpiredError,
  tenantNotFound: errors.TenantNotFoundError,
  notProvisioned: errors.NotProvisionedError,
  invalidRefreshToken: errors.InvalidRefreshTokenError,
  refreshTokenSuperseded: errors.RefreshSupersededError,
  refreshTokenReused: errors.RefreshReusedError,
  rateLimited: errors.RateLimitedError,
  temporarilyUnavailable: errors.UnavailableError,
  internalError: errors.UnavailableError,
  invalidRequest: errors.UnexpectedResponseError,
  unsupportedMediaType: errors.UnexpectedResponseError,
  bodyTooLarge: errors.UnexpectedResponseError,
} as const satisfies ErrorClasses

/** Converts an error response. A proxy's own error page has no API error body: its status decides. */
export function apiErrorOf(
  { status, headers }: Response,
  json: unknown,
  classes: ErrorClasses,
): errors.GatehouseError {
  const error = recordOf(recordOf(json).error)
  const details = recordOf(error.details)
  const code = textOf(error.code)
  const context: errors.ResponseDetails = {
    reason: 'status',
    status,
    code,
    details,
    docsUrl: textOf(error.docs_url),
    requestId: textOf(error.request_id) ?? headers.get('x-request-id'),
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    pauseReason: textOf(details.pause_reason),
    window: textOf(details.window),
  }
  const ErrorClass = code !== null && Object.hasOwn(classes, code) && classes[code]
  if (ErrorClass) {
    return new ErrorClass(textOf(error.message) ?? code, context)
  }
  if (status >= 500) {
    return new errors.UnavailableError(
      `The service is not available (status ${status}). Try again.`,
      context,
    )
  }
  if (status === 429) {
    return new errors.RateLimitedError('Too many requests. Try again later.', context)
  }
  return new errors.UnexpectedResponseError(
    `baseUrl responded with status ${status}, code ${code ?? 'none'}. Check that it is the address of the service.`,
    context,
  )
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, 500) : null

/** `Retry-After` is seconds or an HTTP date (RFC 9110, section 10.2.3). */
function parseRetryAfter(retryAfter: string | null): number | null {
  if (retryAfter === null) {
    return null
  }
  if (/^\d{1,9}$/.test(retryAfter)) {
    return Number(retryAfter)
  }
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000))
}
