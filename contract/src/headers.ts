export const API_VERSION = '1'

/** Header names that REST, MCP and OAuth endpoints share. */
export const HEADERS = {
  apiVersion: 'API-Version',
  requestId: 'X-Request-Id',
  rateLimitPolicy: 'RateLimit-Policy',
  rateLimit: 'RateLimit',
  retryAfter: 'Retry-After',
  totalCount: 'X-Total-Count',
  idempotencyKey: 'Idempotency-Key',
} as const
