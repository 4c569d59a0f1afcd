import type { Endpoint, EndpointId } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import additions from '../../../../content/openapi/additions.json' with { type: 'json' }
import { defined } from '../../../domain/defined.ts'
import type { ErrorResponses } from './error-responses.ts'
import { type HeaderName, headers, REST } from './headers.ts'
import type { Schemas } from './schemas.ts'
import { SECURITY } from './security.ts'
import type { ApiResponse, MediaType, Operation, Parameter, Variant } from './types.ts'

/** Converts an endpoint of the contract to an OpenAPI operation. */
export function operationOf(
  endpoint: Endpoint,
  schemas: Schemas,
  apiErrors: ErrorResponses,
): Operation {
  const { example } = endpoint
  const addition = ADDITIONS[endpoint.id as EndpointId] ?? {}
  const parameters = [
    ...parametersIn('path', endpoint.params, example.params, schemas),
    ...parametersIn('query', endpoint.query, example.query, schemas),
    ...(addition.parameters ?? []),
  ]
  return {
    operationId: endpoint.id,
    summary: endpoint.summary.replace(/\.$/, ''),
    ...defined({ description: addition.description }),
    tags: [endpoint.tag],
    security: SECURITY[endpoint.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBodyOf(endpoint.body, example.body, schemas) }),
    ...(endpoint.textBody === undefined
      ? {}
      : { requestBody: textBodyOf(endpoint.textBody, example.text, schemas) }),
    ...(endpoint.fileBody === undefined ? {} : { requestBody: fileBodyOf(endpoint.fileBody) }),
    responses: {
      ...responsesOf(endpoint, addition, example.response, schemas),
      ...apiErrors.for(endpoint.errors),
      ...(addition.pages ? { default: asPage() } : {}),
    },
    ...defined({ 'x-variants': addition.variants }),
  }
}

function parametersIn(
  where: 'path' | 'query',
  shape: z.ZodObject | undefined,
  example: Readonly<Record<string, unknown>> = {},
  schemas: Schemas,
): Parameter[] {
  return Object.entries(shape?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemas.parameter(field as z.ZodType),
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }))
}

function requestBodyOf(
  body: z.ZodType,
  example: unknown,
  schemas: Schemas,
): NonNullable<Operation['requestBody']> {
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: schemas.input(body), ...defined({ example }) } },
  }
}

/** Lines of JSON, each described by the schema. */
function textBodyOf(
  { type, schema }: NonNullable<Endpoint['textBody']>,
  example: string | undefined,
  schemas: Schemas,
): NonNullable<Operation['requestBody']> {
  return {
    required: true,
    content: {
      [type]: {
        schema: {
          type: 'string',
          description: 'One JSON object per line.',
          contentSchema: schemas.input(schema),
        },
        ...defined({ example }),
      },
    },
  }
}

const fileBodyOf = (type: string): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

function responsesOf(
  { ok }: Endpoint,
  { headers: names = [], alsoStatus }: Addition,
  example: unknown,
  schemas: Schemas,
): Record<string, ApiResponse> {
  const all = headers([...REST, ...names])
  if (ok.status === 302) {
    return { '302': { description: 'Redirects to Google.', headers: all } }
  }
  const json: MediaType = { schema: schemas.output(ok.body), example }
  const response = (description: string): ApiResponse => ({
    description,
    headers: all,
    content: Object.fromEntries((ok.textTypes ?? ['application/json']).map((type) => [type, json])),
  })
  return {
    [ok.status]: response(ok.status === 201 ? 'Created.' : 'Success.'),
    ...(alsoStatus === undefined ? {} : { [alsoStatus.status]: response(alsoStatus.description) }),
  }
}

const asPage = (): ApiResponse => ({
  description: 'Browsers (`Accept: text/html`) get every error as a page with the same status.',
  headers: headers([...REST, 'RetryAfter', 'RateLimit', 'RateLimitPolicy']),
  content: { 'text/html': { schema: { type: 'string' } } },
})

/** What an operation has besides the schemas of its endpoint in the contract. */
interface Addition {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  /** The headers of the success response. */
  readonly headers?: readonly HeaderName[]
  /** The same request answered in another media type, kept apart so that generated clients have one type of success. */
  readonly variants?: readonly Variant[]
  /** A second success status with the same body. */
  readonly alsoStatus?: { readonly status: number; readonly description: string }
  /** Browsers get errors as HTML pages. */
  readonly pages?: true
}

const ADDITIONS = additions as unknown as Readonly<Partial<Record<EndpointId, Addition>>>
