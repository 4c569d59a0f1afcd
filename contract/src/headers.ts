/** Names on the wire that more than one surface uses. */
export const API_VERSION = '1'

export const HEADERS = {
  apiVersion: 'API-Version',
  requestId: 'X-Request-Id',
  rateLimitPolicy: 'RateLimit-Policy',
  rateLimit: 'RateLimit',
  retryAfter: 'Retry-After',
  idempotencyKey: 'Idempotency-Key',
} as const
