import type { Endpoint, EndpointId } from '@gatehouse/contract'
import type { z } from 'zod'
import { ADDITIONS, type Addition } from './additions.ts'
import { headers, REST } from './headers.ts'
import type { ErrorResponses } from './refusal-responses.ts'
import type { Schemas } from './schemas.ts'
import { SECURITY } from './security.ts'
import type { ApiResponse, MediaType, Operation, Parameter } from './types.ts'

/** An endpoint of the contract → an operation of the description. */
export function operationOf(endpoint: Endpoint, schemas: Schemas, apiErrors: ErrorResponses): Operation {
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
    ...(addition.description === undefined ? {} : { description: addition.description }),
    tags: [endpoint.tag],
    security: SECURITY[endpoint.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBodyOf(endpoint.body, example.body, schemas) }),
    responses: {
      ...responsesOf(endpoint, addition, example.response, schemas),
      ...apiErrors.for(endpoint.errors),
      ...(addition.pages ? { default: asPage() } : {}),
    },
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

function requestBodyOf(body: z.ZodType, example: unknown, schemas: Schemas): NonNullable<Operation['requestBody']> {
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: schemas.input(body), ...(example === undefined ? {} : { example }) } },
  }
}

function responsesOf(
  { ok }: Endpoint,
  { headers: names = [], content, alsoStatus }: Addition,
  example: unknown,
  schemas: Schemas,
): Record<string, ApiResponse> {
  const all = headers([...REST, ...names])
  if (ok.status === 302) return { '302': { description: 'To Google.', headers: all } }
  const json: MediaType = { schema: schemas.output(ok.body), example }
  const answer = (description: string): ApiResponse => ({
    description,
    headers: all,
    content: { 'application/json': json, ...content },
  })
  return {
    [ok.status]: answer(ok.status === 201 ? 'Created.' : 'Done.'),
    ...(alsoStatus === undefined ? {} : { [alsoStatus.status]: answer(alsoStatus.description) }),
  }
}

const asPage = (): ApiResponse => ({
  description: 'To a browser (`Accept: text/html`) every error is a page that says the same, with the same status.',
  headers: headers([...REST, 'RetryAfter', 'RateLimit', 'RateLimitPolicy']),
  content: { 'text/html': { schema: { type: 'string' } } },
})
