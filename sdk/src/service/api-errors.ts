import * as errors from './errors.ts'

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface ResponseContext {
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly details: Readonly<Record<string, unknown>>
}

type ErrorFactory = (message: string, context: ResponseContext) => errors.GatehouseError

const unexpected: ErrorFactory = (message, { status, requestId }) =>
  new errors.UnexpectedResponseError(message, { status, requestId })

const unavailable: ErrorFactory = (message, { requestId, retryAfterSeconds }) =>
  new errors.UnavailableError(message, { reason: 'status', requestId, retryAfterSeconds })

/** The error codes of verify, refresh and logout. A test compares this list with the contract. */
export const API_ERRORS = {
  tenantPaused: (message, { requestId, details }) =>
    new errors.TenantPausedError(message, { requestId, pauseReason: textIn(details, 'pause_reason') }),
  tenantExpired: (message, { requestId }) => new errors.TenantExpiredError(message, { requestId }),
  tenantNotFound: (message, { requestId }) => new errors.TenantNotFoundError(message, { requestId }),
  notProvisioned: (message, { requestId }) => new errors.NotProvisionedError(message, { requestId }),
  invalidRefreshToken: (message, { requestId }) => new errors.InvalidRefreshTokenError(message, { requestId }),
  refreshTokenSuperseded: (message, { requestId }) => new errors.RefreshSupersededError(message, { requestId }),
  refreshTokenReused: (message, { requestId }) => new errors.RefreshReusedError(message, { requestId }),
  rateLimited: (message, { requestId, retryAfterSeconds, details }) =>
    new errors.RateLimitedError(message, { requestId, retryAfterSeconds, window: textIn(details, 'window') }),
  temporarilyUnavailable: unavailable,
  internalError: unavailable,
  invalidRequest: unexpected,
  unsupportedMediaType: unexpected,
  bodyTooLarge: unexpected,
} as const satisfies Record<string, ErrorFactory>

/** Converts an error response. A proxy's own error page has no API error body: its status decides. */
export function apiErrorOf({ status, headers }: RawResponse, json: unknown): errors.GatehouseError {
  const error = recordIn(json, 'error')
  const code = textIn(error, 'code')
  const context: ResponseContext = {
    status,
    requestId: textIn(error, 'request_id') ?? headers.get('x-request-id'),
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    details: recordIn(error, 'details'),
  }
  const createError =
    code !== null && Object.hasOwn(API_ERRORS, code) ? API_ERRORS[code as keyof typeof API_ERRORS] : undefined
  if (createError !== undefined) {
    return createError(textIn(error, 'message') ?? `The service rejected the request: ${code}.`, context)
  }
  if (status >= 500) return unavailable(`The service is not available (status ${status}). Try again.`, context)
  if (status === 429) return API_ERRORS.rateLimited('Too many requests at once. Try again later.', context)
  const codeText = code === null ? '' : ` and the code ${code}`
  return unexpected(
    `baseUrl responded with status ${status}${codeText}. Check that it is the address of the service.`,
    context,
  )
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}
}

function textIn(record: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = record[name]
  return typeof value === 'string' ? value.slice(0, 500) : null
}

/** `Retry-After` is seconds or an HTTP date (RFC 9110, section 10.2.3). */
function parseRetryAfter(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000))
}
