import { OAUTH_ERRORS, type OAuthEndpoint, type OAuthErrorName } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { defined } from '../../../domain/defined.ts'
import { HEALTH_PATHS } from '../../health-openapi.ts'
import { MCP_PATHS } from '../../mcp/openapi.ts'
import { BY_STATUS, type ErrorResponses } from './error-responses.ts'
import { type HeaderName, headers, REST } from './headers.ts'
import type { Schemas } from './schemas.ts'
import type { ApiResponse, Operation, PathItem, WrittenOperation } from './types.ts'

/** Operations without an endpoint in the contract: MCP, the credentials download and the health checks. */
export const otherPaths = (apiErrors: ErrorResponses): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(
    Object.entries({ ...MCP_PATHS, ...HEALTH_PATHS }).map(([path, { get, post }]) => [
      path,
      defined({
        get: get && withErrors(get, apiErrors),
        post: post && withErrors(post, apiErrors),
      }),
    ]),
  )

function withErrors(
  { errors, ...operation }: WrittenOperation,
  apiErrors: ErrorResponses,
): Operation {
  if (errors === undefined) {
    return operation
  }
  return { ...operation, responses: { ...operation.responses, ...apiErrors.for(errors) } }
}

const MEDIA = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

/** Converts an endpoint of the authorization server to an OpenAPI operation. */
export function oauthOperationOf(endpoint: OAuthEndpoint, schemas: Schemas): Operation {
  const { id, summary, tag = 'OAuth', params, query, body } = endpoint
  const parameters = [
    ...(params === undefined ? [] : parametersOf('path', params, schemas)),
    ...(query === undefined ? [] : parametersOf('query', query, schemas)),
  ]
  return {
    operationId: id,
    summary: summary.replace(/\.$/, ''),
    tags: [tag],
    security: [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [MEDIA[body.type]]: { schema: schemas.input(body.schema) } },
          },
        }),
    responses: { ...responseOf(endpoint, schemas), ...errorsOf(endpoint) },
  }
}

const parametersOf = (
  place: 'path' | 'query',
  parameters: z.ZodObject,
  schemas: Schemas,
): NonNullable<Operation['parameters']> =>
  Object.entries(parameters.shape).map(([name, field]) => {
    const { description, ...schema } = schemas.parameter(field)
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    }
  })

function responseOf(
  { ok, redirects = [], alsoStatus = {} }: OAuthEndpoint,
  schemas: Schemas,
): Record<string, ApiResponse> {
  const names: readonly HeaderName[] = [
    ...REST,
    ...(ok.status === 303 ? (['Location'] as const) : []),
    ...(429 in alsoStatus ? (['RateLimit', 'RateLimitPolicy'] as const) : []),
  ]
  const response: ApiResponse = {
    description:
      ok.status === 303
        ? `Redirects to the consent page, or to the client's redirect URI with an \`error\`: ${redirects.map((error) => `\`${error}\``).join(', ')}.`
        : 'Success.',
    headers: headers(names),
    ...(ok.body === null
      ? {}
      : { content: { 'application/json': { schema: schemas.output(ok.body) } } }),
  }
  return { [ok.status]: response }
}

function errorsOf({
  body,
  errors,
  forBrowsers,
  alsoStatus = {},
}: OAuthEndpoint): Record<string, ApiResponse> {
  // A browser can't authenticate a client, so the authorization endpoint never responds with 401.
  const statusOf = (error: OAuthErrorName): number =>
    forBrowsers && error === 'invalid_client' ? 400 : OAUTH_ERRORS[error]
  const apiErrors = Object.entries(Object.groupBy(errors, statusOf))
  return {
    ...Object.fromEntries(
      apiErrors.map(([status, errors = []]) => [status, apiError(Number(status), errors)]),
    ),
    ...(body === undefined ? {} : { '413': apiError(413, ['invalid_request']) }),
    ...(errors.length === 0 ? { '405': apiError(405, ['invalid_request']) } : {}),
    ...Object.fromEntries(
      Object.entries(alsoStatus).map(([status, error]) => [
        status,
        apiError(Number(status), [error]),
      ]),
    ),
    ...(forBrowsers ? { default: errorAsPage } : {}),
  }
}

const apiError = (status: number, errors: readonly string[]): ApiResponse => ({
  description: errors.map((error) => `\`${error}\``).join(', '),
  headers: headers([...REST, ...(BY_STATUS[status] ?? [])]),
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
  headers: headers([...REST, ...(BY_STATUS[429] ?? [])]),
  content: { 'text/html': { schema: { type: 'string' } } },
}
