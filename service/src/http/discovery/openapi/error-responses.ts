import { API_ERRORS, type ApiErrorCode } from '@gatehouse-auth/contract'
import written from '../../../../content/openapi/error-schemas.json' with { type: 'json' }
import { type HeaderName, headers, REST } from './headers.ts'
import type { ApiResponse, Ref } from './types.ts'

const { properties } = written.Error
const code = { ...properties.error.properties.code, enum: Object.keys(API_ERRORS) }
const error = { ...properties.error, properties: { ...properties.error.properties, code } }

/** The body of every error under /api and /edge, and of OAuth. Each response narrows `code` to its own codes. */
export const ERROR_SCHEMAS = { ...written, Error: { ...written.Error, properties: { error } } }

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
