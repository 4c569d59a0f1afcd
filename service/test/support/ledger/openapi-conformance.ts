import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../../src/http/discovery/openapi/document.ts'
import type { ApiResponse, Operation } from '../../../src/http/discovery/openapi/types.ts'
import { errorOf, recordResponse } from './response-ledger.ts'

interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Headers that clients read: each must be in the OpenAPI document wherever it is sent. */
const CLIENT_HEADERS = [
  'API-Version',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Link',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
]

/**
 * Checks a response against the published OpenAPI document: status, media type, body and headers. Every response of
 * every test is checked (http-transport.ts), so the document cannot become wrong unnoticed.
 */
export function assertMatchesOpenApi(
  method: string,
  { pathname }: URL,
  response: ReceivedResponse,
): void {
  // Without this header the response does not come from the app.
  if (!response.headers.has('x-request-id') || method === 'HEAD' || method === 'OPTIONS') {
    return
  }
  const found = operationAt(method, pathname)
  const { status, text } = response
  recordResponse({
    method,
    path: found?.path ?? null,
    status,
    code: errorOf(status, response.headers, text),
  })
  if (found === null) {
    assertOutsideApi(pathname, response)
    return
  }
  const what = `${method} ${found.path} responded ${status} ${text.slice(0, 500)}`
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  const key = isPage ? 'default' : String(status)
  const { responses } = found.operation
  // A page reports the same error as the JSON response, so its status is documented too.
  assert.ok(
    status < 400 || String(status) in responses || !isPage,
    `${what}; documented: ${Object.keys(responses)}`,
  )
  const documented = responses[key]
  assert.ok(documented !== undefined, `${what}; documented: ${Object.keys(responses).join(', ')}`)
  const pointer = '$ref' in documented ? documented.$ref : `${found.pointer}/responses/${key}`
  assertHeaders(what, pointer, response.headers)
  const type = mediaTypeOf(response)
  const variant = (found.operation['x-variants'] ?? []).findIndex(
    (each) => each.status === status && type in each.content,
  )
  assertBody(what, variant < 0 ? pointer : `${found.pointer}/x-variants/${variant}`, response)
}

const mediaTypeOf = ({ headers }: Pick<ReceivedResponse, 'headers'>): string =>
  (headers.get('content-type') ?? '').split(';')[0] ?? ''

const document = lazily(() => openApiDocument('http://localhost:8787', true))

const validators = lazily(() => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': isDateTime, date: /^\d{4}-\d\d-\d\d$/ },
  })
  ajv.addSchema(closed(document()), 'openapi')
  const known = new Map<string, ValidateFunction>()
  return (pointer: string): ValidateFunction => {
    const found = known.get(pointer) ?? ajv.compile({ $ref: `openapi${encodeURI(pointer)}` })
    known.set(pointer, found)
    return found
  }
})

/**
 * The document with closed objects. Clients must accept additional properties; a response of this version may have only
 * the declared ones. The parts of an `allOf` declare a part of the properties each, so they stay open.
 */
function closed<T>(node: T): T {
  if (typeof node !== 'object' || node === null) {
    return node
  }
  if (Array.isArray(node)) {
    return node.map(closed) as T
  }
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name === 'allOf' ? value : closed(value),
  ])
  const isObjectSchema = 'type' in node && node.type === 'object' && 'properties' in node
  return {
    ...(isObjectSchema ? { additionalProperties: false } : {}),
    ...Object.fromEntries(entries),
  }
}

function isDateTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** A path without a parameter takes precedence over one with (OpenAPI, "Path Templating Matching"). */
const templates = lazily(() =>
  Object.entries(document().paths)
    .map(([path, item]) => ({
      path,
      item,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length),
)

function operationAt(
  method: string,
  pathname: string,
): { path: string; pointer: string; operation: Operation } | null {
  const verb = method.toLowerCase() as 'get' | 'post' | 'delete'
  const found = templates().find(({ pattern }) => pattern.test(pathname))
  const operation = found?.item[verb]
  if (found === undefined || operation === undefined) {
    return null
  }
  return { path: found.path, operation, pointer: `#/paths/${escaped(found.path)}/${verb}` }
}

/** Every successful response under /api and /edge is documented. */
function assertOutsideApi(pathname: string, { status, text }: ReceivedResponse): void {
  if (!/^\/(api|edge)(\/|$)/.test(pathname)) {
    return
  }
  assert.ok(
    status >= 400,
    `${pathname} is not documented and responded ${status} ${text.slice(0, 500)}`,
  )
}

function assertHeaders(what: string, pointer: string, headers: Headers): void {
  const { headers: documented = {} } = at(pointer) as ApiResponse
  for (const [name, { $ref }] of Object.entries(documented)) {
    const value = headers.get(name)
    const { required = false } = at($ref) as { required?: boolean }
    if (value === null) {
      assert.ok(!required, `${what} without ${name}`)
    } else {
      assertMatchesSchema(`${what}: ${name}: ${value}`, `${$ref}/schema`, value)
    }
  }
  for (const name of CLIENT_HEADERS) {
    assert.ok(
      !headers.has(name) || name in documented,
      `${what} with ${name}, which is not documented`,
    )
  }
}

function assertBody(
  what: string,
  pointer: string,
  { status, headers, text }: ReceivedResponse,
): void {
  const { content } = at(pointer) as ApiResponse
  const type = mediaTypeOf({ headers })
  if (content === undefined) {
    assert.equal(text, '', what)
    return
  }
  // The response to a prefetch (http/callers/same-origin.ts).
  if (status === 503 && text === '' && type === '') {
    return
  }
  assert.ok(type in content, `${what} as ${type}; documented: ${Object.keys(content).join(', ')}`)
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  assertMatchesSchema(what, `${pointer}/content/${escaped(type)}/schema`, value)
}

function assertMatchesSchema(what: string, pointer: string, value: unknown): void {
  const validate = validators()(pointer)
  assert.ok(
    validate(value),
    `${what} does not match the OpenAPI document: ${JSON.stringify(validate.errors)}`,
  )
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function at(pointer: string): unknown {
  const keys = pointer.slice(2).split('/')
  return keys.reduce<unknown>(
    (value, key) =>
      (value as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document(),
  )
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
