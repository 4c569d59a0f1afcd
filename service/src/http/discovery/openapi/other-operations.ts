import { OAUTH_ERRORS, type OAuthEndpoint, type OAuthErrorName } from '@gatehouse/contract'
import type { z } from 'zod'
import { defined } from '../../../domain/defined.ts'
import type { ErrorResponses } from './error-responses.ts'
import { type HeaderName, headers, REST } from './headers.ts'
import type { Schemas } from './schemas.ts'
import type { ApiResponse, Operation, PathItem, Schema } from './types.ts'

const OBJECT: Schema = { type: 'object' }

const json = (schema: Schema) => ({ 'application/json': { schema } })

/** Operations without a schema in the contract: MCP, the credentials download and the health checks. */
export const otherPaths = (apiErrors: ErrorResponses): Readonly<Record<string, PathItem>> => ({
  '/mcp': { post: mcp() },
  '/mcp/tenants/{tenant_id}/credentials': { get: downloadCredentials(apiErrors) },
  '/mcp/manage': { post: retired(apiErrors) },
  '/healthz': { get: health('healthz', 'Liveness: the process responds') },
  '/readyz': { get: health('readyz', 'Readiness: this instance accepts traffic') },
})

const mcp = (): Operation => ({
  operationId: 'mcp',
  summary: 'The hosted MCP server (Streamable HTTP)',
  description:
    'One JSON-RPC message per request, one JSON response; no sessions and no streams. Without `Authorization` it is public; an `Authorization` header must contain a valid OAuth access token. `?login` requires one.',
  tags: ['MCP'],
  security: [{}, { oauth: [] }],
  requestBody: { required: true, content: json(OBJECT) },
  responses: {
    '200': { description: 'A JSON-RPC response.', headers: headers(['RequestId']), content: json(OBJECT) },
    '202': { description: 'A notification was accepted.', headers: headers(['RequestId']) },
    '400': { description: 'Not a valid message.', content: json(OBJECT) },
    '401': {
      description: 'The access token is missing or invalid.',
      headers: headers(['Challenge']),
      content: json(OBJECT),
    },
    '403': { description: 'A scope is missing.', headers: headers(['Challenge']), content: json(OBJECT) },
    '404': { description: 'An unknown method.', content: json(OBJECT) },
    '413': { description: 'The message is larger than 256 KiB.', content: json(OBJECT) },
    '415': { description: 'The message is not `application/json`.', content: json(OBJECT) },
    '500': { description: 'An internal error.', content: json(OBJECT) },
    '503': {
      description: 'Temporarily unavailable. Retry with the same token.',
      headers: headers(['RetryAfter']),
      content: json(OBJECT),
    },
  },
})

const asPage = (headers: ApiResponse['headers']): ApiResponse => ({
  description: 'Browsers get a page with the same status.',
  ...defined({ headers }),
  content: { 'text/html': { schema: { type: 'string' } } },
})

const downloadCredentials = (apiErrors: ErrorResponses): Operation => ({
  operationId: 'downloadCredentials',
  summary: 'Download the credentials file of a tenant that an OAuth client created, in the owner’s browser',
  description:
    'Requires the session cookie of the owner, or of the guest who created it. An access token is not enough.',
  tags: ['MCP'],
  security: [{ accountSession: [] }],
  parameters: [{ name: 'tenant_id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    '200': {
      description: 'The `.service` file.',
      headers: headers(REST),
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
    ...apiErrors.for(['missingCredentials', 'tenantNotFound']),
    default: asPage(headers(REST)),
  },
})

const retired = (apiErrors: ErrorResponses): Operation => ({
  operationId: 'retiredMcpManage',
  summary: 'Retired: use /mcp',
  tags: ['MCP'],
  deprecated: true,
  security: [],
  responses: {
    ...apiErrors.for(['endpointRetired']),
    default: asPage(headers(['RequestId', 'Deprecation', 'Sunset', 'Migration'])),
  },
})

const health = (operationId: string, summary: string): Operation => ({
  operationId,
  summary,
  tags: ['Operating'],
  security: [],
  responses: {
    '200': {
      description: 'OK.',
      headers: headers(['RequestId']),
      content: json({ type: 'object', properties: { status: { type: 'string' } }, required: ['status'] }),
    },
    '4XX': { description: 'Does not occur.' },
    ...(operationId === 'readyz' ? { '503': unavailable } : {}),
  },
})

const unavailable = {
  description: 'Not ready; `reasons` says why.',
  headers: headers(['RequestId']),
  content: json({
    type: 'object',
    properties: { status: { type: 'string' }, reasons: { type: 'array', items: { type: 'string' } } },
    required: ['status', 'reasons'],
  }),
}

export const OAUTH_ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'An error in the shape of RFC 6749, section 5.2.',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error', 'error_description'],
}

const MEDIA = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

/** Converts an endpoint of the authorization server to an OpenAPI operation. */
export function oauthOperationOf(endpoint: OAuthEndpoint, schemas: Schemas): Operation {
  const { id, summary, query, body } = endpoint
  return {
    operationId: id,
    summary: summary.replace(/\.$/, ''),
    tags: ['OAuth'],
    security: [],
    ...(query === undefined ? {} : { parameters: parametersOf(query, schemas) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [MEDIA[body.type]]: { schema: schemas.input(body.schema) } } } }),
    responses: { ...responseOf(endpoint, schemas), ...errorsOf(endpoint) },
  }
}

const parametersOf = (query: z.ZodObject, schemas: Schemas): NonNullable<Operation['parameters']> =>
  Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = schemas.parameter(field)
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    }
  })

function responseOf({ ok, redirects = [] }: OAuthEndpoint, schemas: Schemas): Record<string, ApiResponse> {
  const names: readonly HeaderName[] = ok.status === 303 ? ['RequestId', 'Location'] : ['RequestId']
  const response: ApiResponse = {
    description:
      ok.status === 303
        ? `Redirects to the consent page, or to the client's redirect URI with an \`error\`: ${redirects.map((error) => `\`${error}\``).join(', ')}.`
        : 'Success.',
    headers: headers(names),
    ...(ok.body === null ? {} : { content: { 'application/json': { schema: schemas.output(ok.body) } } }),
  }
  return { [ok.status]: response }
}

function errorsOf({ path, body, errors }: OAuthEndpoint): Record<string, ApiResponse> {
  const isForBrowsers = path === '/oauth/authorize'
  // A browser can't authenticate a client, so the authorization endpoint never responds with 401.
  const statusOf = (error: OAuthErrorName): number =>
    isForBrowsers && error === 'invalid_client' ? 400 : OAUTH_ERRORS[error]
  const apiErrors = Object.entries(Object.groupBy(errors, statusOf))
  return {
    ...Object.fromEntries(apiErrors.map(([status, errors = []]) => [status, apiError(Number(status), errors)])),
    ...(body === undefined ? {} : { '413': apiError(413, ['invalid_request']) }),
    ...(errors.length === 0 ? { '405': apiError(405, ['invalid_request']) } : {}),
    ...(isForBrowsers ? { default: errorAsPage } : {}),
  }
}

const RATE: readonly HeaderName[] = ['RetryAfter', 'RateLimit', 'RateLimitPolicy']

const BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['Challenge'],
  429: RATE,
  503: ['RetryAfter'],
}

const apiError = (status: number, errors: readonly string[]): ApiResponse => ({
  description: errors.map((error) => `\`${error}\``).join(', '),
  headers: headers(['RequestId', ...(BY_STATUS[status] ?? [])]),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/OAuthError' },
          { type: 'object', properties: { error: { enum: errors } } },
        ],
      },
    },
  },
})

const errorAsPage: ApiResponse = {
  description: 'Browsers (`Accept: text/html`) get every error as a page with the same status.',
  headers: headers(['RequestId', ...RATE]),
  content: { 'text/html': { schema: { type: 'string' } } },
}
