import type { Endpoint, RequestHeader } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { defined } from '../../../domain/defined.ts'
import type { ErrorResponses } from './error-responses.ts'
import { headers, REQUEST_HEADERS, REST } from './headers.ts'
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
  const parameters = [
    ...parametersIn('path', endpoint.params, example.params, schemas),
    ...parametersIn('query', endpoint.query, example.query, schemas),
    ...headerParameters(endpoint.requestHeaders),
  ]
  return {
    operationId: endpoint.id,
    summary: endpoint.summary.replace(/\.$/, ''),
    ...defined({ description: endpoint.description }),
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
      ...responsesOf(endpoint, example.response, schemas),
      ...apiErrors.for(endpoint.errors),
      ...(endpoint.errorPages ? { default: asPage() } : {}),
    },
    ...defined({ 'x-variants': variantsOf(endpoint) }),
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

const headerParameters = (described: Endpoint['requestHeaders'] = {}): Parameter[] =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: REQUEST_HEADERS[name as RequestHeader],
  }))

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
  example: unknown,
  schemas: Schemas,
): Record<string, ApiResponse> {
  const all = headers([...REST, ...(ok.headers ?? [])])
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
    ...(ok.alsoStatus && { [ok.alsoStatus.status]: response(ok.alsoStatus.description) }),
  }
}

/** OpenAPI has one response per status and media type, and generated clients one type of success. */
function variantsOf({ ok }: Endpoint): readonly Variant[] | undefined {
  if (ok.plainText === undefined) {
    return undefined
  }
  const { description, body } = ok.plainText
  return [
    {
      when: 'Accept: text/plain',
      status: ok.status,
      description,
      content: { 'text/plain': { schema: { type: 'string', description: body } } },
    },
  ]
}

const asPage = (): ApiResponse => ({
  description: 'Browsers (`Accept: text/html`) get every error as a page with the same status.',
  headers: headers([...REST, 'RetryAfter', 'RateLimit', 'RateLimitPolicy']),
  content: { 'text/html': { schema: { type: 'string' } } },
})
