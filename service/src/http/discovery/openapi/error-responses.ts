import { API_ERRORS, type ApiErrorCode } from '@gatehouse-auth/contract'
import { type HeaderName, headers, REST } from './headers.ts'
import type { ApiResponse, Ref, Schema } from './types.ts'

/** The body of every error under /api and /edge, and of OAuth. Each response narrows `code` to its own codes. */
export const ERROR_SCHEMAS: Readonly<Record<'Error' | 'OAuthError', Schema>> = {
  Error: {
    type: 'object',
    description: 'An API error. Decide by `code`, which is stable; show `message` to a person.',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: {
            type: 'string',
            enum: Object.keys(API_ERRORS),
            description: 'The error code.',
          },
          message: {
            type: 'string',
            description: 'What happened and what to do about it. The wording may change.',
          },
          retryable: {
            type: 'boolean',
            description: 'true if the same request may succeed later.',
          },
          request_id: {
            type: 'string',
            description: 'Also in the `X-Request-Id` header.',
          },
          docs_url: {
            type: 'string',
            description: 'The entry for this code.',
          },
          details: {
            type: 'object',
            description: 'Facts about this case, such as which limit is used up.',
          },
        },
        required: ['code', 'message', 'retryable', 'request_id', 'docs_url'],
      },
    },
    required: ['error'],
  },
  OAuthError: {
    type: 'object',
    description: 'An error in the shape of RFC 6749, section 5.2.',
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    required: ['error', 'error_description'],
  },
}

export const BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['Challenge'],
  403: ['Challenge'],
  410: ['Deprecation', 'Sunset', 'Migration'],
  429: ['RetryAfter', 'RateLimit', 'RateLimitPolicy'],
  503: ['RetryAfter'],
}

/** Every operation can fail with these. */
const ALWAYS: readonly ApiErrorCode[] = ['internalError', 'temporarilyUnavailable']

/** API errors grouped by status, as OpenAPI requires; each group is written once, under `components`. */
export class ErrorResponses {
  readonly #components = new Map<string, ApiResponse>()

  for(codes: readonly ApiErrorCode[]): Record<string, Ref> {
    const byStatus = Object.groupBy(
      new Set([...codes, ...ALWAYS]),
      (code) => API_ERRORS[code].status,
    )
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, group = []]) => [
        status,
        this.#component(Number(status), group),
      ]),
    )
  }

  get components(): Readonly<Record<string, ApiResponse>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #component(status: number, codes: readonly ApiErrorCode[]): Ref {
    const name = codes.toSorted().join('.')
    if (!this.#components.has(name)) {
      this.#components.set(name, response(status, codes))
    }
    return { $ref: `#/components/responses/${name}` }
  }
}

function response(status: number, codes: readonly ApiErrorCode[]): ApiResponse {
  const isRetired = codes.includes('endpointRetired')
  const names = status === 410 && !isRetired ? [] : (BY_STATUS[status] ?? [])
  return {
    description: codes
      .map((code) => `\`${code}\`: ${API_ERRORS[code].meaning} ${API_ERRORS[code].remedy}`)
      .join('\n\n'),
    headers: headers([...REST, ...names]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            {
              type: 'object',
              properties: { error: { type: 'object', properties: { code: { enum: codes } } } },
            },
          ],
        },
      },
    },
  }
}
