import { API_ERRORS, type ApiErrorCode } from '@gatehouse/contract'
import { type HeaderName, headers, REST } from './headers.ts'
import type { ApiResponse, Ref, Schema } from './types.ts'

/** The body of every error under /api and /edge. `code` is narrowed where an answer can have only some. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'What went wrong. Decide by `code`, which does not change; show `message` to a person.',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(API_ERRORS), description: 'Which error it is.' },
        message: { type: 'string', description: 'What is so and what to do about it. The wording may change.' },
        retryable: { type: 'boolean', description: 'true: the very same request may succeed later.' },
        request_id: { type: 'string', description: 'Also in the `X-Request-Id` header.' },
        docs_url: { type: 'string', description: 'The entry for this code.' },
        details: { type: 'object', description: 'Facts about this one case, such as which allowance is used up.' },
      },
      required: ['code', 'message', 'retryable', 'request_id', 'docs_url'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
}

const BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['Challenge'],
  403: ['Challenge'],
  410: ['Deprecation', 'Sunset', 'Migration'],
  429: ['RetryAfter', 'RateLimit', 'RateLimitPolicy'],
  503: ['RetryAfter'],
}

/** Anything may break, and anything may be out of reach for a moment. */
const ALWAYS: readonly ApiErrorCode[] = ['internalError', 'temporarilyUnavailable']

/** Refusals, grouped by status as OpenAPI wants them; each group is written once, under `components`. */
export class ErrorResponses {
  readonly #components = new Map<string, ApiResponse>()

  for(codes: readonly ApiErrorCode[]): Record<string, Ref> {
    const byStatus = Object.groupBy(new Set([...codes, ...ALWAYS]), (code) => API_ERRORS[code].status)
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, group = []]) => [status, this.#component(Number(status), group)]),
    )
  }

  get components(): Readonly<Record<string, ApiResponse>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #component(status: number, codes: readonly ApiErrorCode[]): Ref {
    const name = codes.toSorted().join('.')
    if (!this.#components.has(name)) this.#components.set(name, response(status, codes))
    return { $ref: `#/components/responses/${name}` }
  }
}

function response(status: number, codes: readonly ApiErrorCode[]): ApiResponse {
  const isRetired = codes.includes('endpointRetired')
  const names = status === 410 && !isRetired ? [] : (BY_STATUS[status] ?? [])
  // What is retired is no part of the versioned API any more.
  const always = isRetired ? REST.filter((name) => name !== 'ApiVersion') : REST
  return {
    description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code].meaning}`).join('\n\n'),
    headers: headers([...always, ...names]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
          ],
        },
      },
    },
  }
}
