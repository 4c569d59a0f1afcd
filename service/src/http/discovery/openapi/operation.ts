import type { Endpoint, EndpointId } from '@gatehouse/contract'
import type { z } from 'zod'
import { defined } from '../../../domain/defined.ts'
import type { ErrorResponses } from './error-responses.ts'
import { type HeaderName, headers, REST } from './headers.ts'
import type { Schemas } from './schemas.ts'
import { SECURITY } from './security.ts'
import type { ApiResponse, MediaType, Operation, Parameter, Variant } from './types.ts'

/** Converts an endpoint of the contract to an OpenAPI operation. */
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
    ...defined({ description: addition.description }),
    tags: [endpoint.tag],
    security: SECURITY[endpoint.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBodyOf(endpoint.body, example.body, schemas) }),
    ...(endpoint.textBody === undefined ? {} : { requestBody: textBodyOf(endpoint.textBody, example.text, schemas) }),
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

function requestBodyOf(body: z.ZodType, example: unknown, schemas: Schemas): NonNullable<Operation['requestBody']> {
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
        schema: { type: 'string', description: 'One JSON object per line.', contentSchema: schemas.input(schema) },
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
  if (ok.status === 302) return { '302': { description: 'Redirects to Google.', headers: all } }
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

const RATE: readonly HeaderName[] = ['RateLimit', 'RateLimitPolicy']

const ADDITIONS: Readonly<Partial<Record<EndpointId, Addition>>> = {
  createGuestTenant: {
    description:
      'With `Accept: text/plain`, the response is the credentials file itself. Not idempotent: if the outcome is unclear, do not retry without asking the user. A `User-Agent` that contains `curl` is rejected.',
    headers: RATE,
    variants: [
      {
        when: 'Accept: text/plain',
        status: 201,
        description: 'The credentials file itself, to be written to `.service` as it is.',
        content: { 'text/plain': { schema: { type: 'string', description: 'The content of the `.service` file.' } } },
      },
    ],
  },
  bootstrapTenant: {
    alsoStatus: { status: 200, description: 'The key was used before: the same tenant and the same credentials.' },
  },
  requestClaim: { headers: RATE },
  createTestSession: { headers: RATE },
  leaveFeedback: { headers: RATE },
  reportForDiscount: { headers: RATE },
  listUsers: { headers: ['NextPage', 'TotalCount'] },
  listUserSessions: { headers: ['NextPage'] },
  listRemovals: { headers: ['NextPage'] },
  readUserMetadata: { headers: ['ETag'] },
  replaceUserMetadata: {
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'The `ETag` of the metadata that you read. Absent: replaces any.',
        schema: { type: 'string' },
      },
    ],
    headers: ['ETag'],
  },
  listEvents: { headers: ['NextPage'] },
  listAudit: { headers: ['NextPage'] },
  listWebhookDeliveries: { headers: ['NextPage'] },
  startLogin: {
    description:
      'A link for a browser. `redirect_uri` must match a registered callback URL; it defaults to the first one without a wildcard. `return_to` is a path of the app, passed back to the callback. Prefetches and `HEAD` get 503 and count nothing.',
    headers: ['Location', ...RATE],
    pages: true,
  },
  startProviderLogin: {
    description: 'As the login link for Google, for each provider that `GET /edge/auth/{tenantId}/providers` lists.',
    headers: ['Location', ...RATE],
    pages: true,
  },
  refreshSession: {
    description:
      'Store both new tokens. 429 and 503 never consume the old one. Send one refresh at a time per session.',
    parameters: [
      idempotencyKey('A retry within 60 seconds with the same key and the same token returns the same pair.'),
    ],
    headers: RATE,
  },
  createWebhook: {
    parameters: [
      idempotencyKey(
        'For a day, a retry with the same key and body returns the same endpoint and secret, until it is rotated.',
      ),
    ],
  },
  exchangeLoginCode: {
    parameters: [
      idempotencyKey('A retry within 60 seconds with the same key and the same code returns the same pair.'),
    ],
  },
}

function idempotencyKey(description: string): Parameter {
  const schema = { type: 'string', minLength: 8, maxLength: 128 }
  return { name: 'Idempotency-Key', in: 'header', required: false, description, schema }
}
