import { headers } from './discovery/openapi/headers.ts'
import type { ApiResponse, WrittenPaths } from './discovery/openapi/types.ts'

const OK: ApiResponse = {
  description: 'OK.',
  headers: headers(['RequestId']),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { status: { type: 'string' } },
        required: ['status'],
      },
    },
  },
}

const NOT_READY: ApiResponse = {
  description: 'Not ready; `reasons` says why.',
  headers: headers(['RequestId']),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string' },
          reasons: { type: 'array', items: { type: 'string' } },
        },
        required: ['status', 'reasons'],
      },
    },
  },
}

const OTHER_HOST: ApiResponse = {
  description: 'A development service answers to the host names of its own machine only.',
  content: { 'text/plain': { schema: { type: 'string' } } },
}

/** The routes of `health.ts`. They are described here, because a start loads that file and no OpenAPI. */
export const HEALTH_PATHS: WrittenPaths = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Liveness: the process responds',
      tags: ['Operating'],
      security: [],
      responses: { 200: OK, 403: OTHER_HOST },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      summary: 'Readiness: this instance accepts traffic',
      tags: ['Operating'],
      security: [],
      responses: { 200: OK, 403: OTHER_HOST, 503: NOT_READY },
    },
  },
}
