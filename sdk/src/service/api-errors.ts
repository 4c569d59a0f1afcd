import { recordOf } from '../encoding.ts'
import {
  type GatehouseError,
  InvalidRefreshTokenError,
  NotProvisionedError,
  RateLimitedError,
  RefreshReusedError,
  RefreshSupersededError,
  type ResponseDetails,
  TenantExpiredError,
  TenantNotFoundError,
  TenantPausedError,
  TenantSuspendedError,
  UnavailableError,
  UnexpectedResponseError,
} from './errors.ts'

type ErrorClass = new (message: string, details: ResponseDetails) => GatehouseError

export type ErrorClasses = Readonly<Record<string, ErrorClass>>

/** The error codes of verify, refresh and logout. A test compares them with the contract. */
export const API_ERRORS = {
  tenantPaused: TenantPausedError,
  tenantSuspended: TenantSuspendedError,
  tenantExpired: TenantExpiredError,
  tenantNotFound: TenantNotFoundError,
  notProvisioned: NotProvisionedError,
  invalidRefreshToken: InvalidRefreshTokenError,
  refreshTokenSuperseded: RefreshSupersededError,
  refreshTokenReused: RefreshReusedError,
  rateLimited: RateLimitedError,
  temporarilyUnavailable: UnavailableError,
  internalError: UnavailableError,
  invalidRequest: UnexpectedResponseError,
  unsupportedMediaType: UnexpectedResponseError,
  bodyTooLarge: UnexpectedResponseError,
} as const satisfies ErrorClasses

/** Converts an error response. A proxy's own error page has no API error body: its status decides. */
export function apiErrorOf(
  { status, headers }: Response,
  json: unknown,
  classes: ErrorClasses,
): GatehouseError {
  const error = recordOf(recordOf(json).error)
  const details = recordOf(error.details)
  const code = textOf(error.code)
  const context: ResponseDetails = {
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
    return new UnavailableError(
      `The service is not available (status ${status}). Try again.`,
      context,
    )
  }
  if (status === 429) {
    return new RateLimitedError('Too many requests. Try again later.', context)
  }
  return new UnexpectedResponseError(
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
