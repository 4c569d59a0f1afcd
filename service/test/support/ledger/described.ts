import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../../src/http/discovery/openapi/document.ts'
import type { ApiResponse, Operation } from '../../../src/http/discovery/openapi/types.ts'
import { errorOf, noteResponse } from './answers-seen.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Those that mean something to a client: one that is not described is a promise that nobody knows of. */
const TOLD = [
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
 * Holds an answer of the service against its own OpenAPI description, as it is published: status, media type, body and
 * headers. Every answer of every test passes by here (http-transport.ts), so the description cannot be wrong in silence.
 */
export function assertDescribed(method: string, { pathname }: URL, response: Answered): void {
  // Without this header it was not the service that answered, or not yet the app inside it.
  if (!response.headers.has('x-request-id') || method === 'HEAD' || method === 'OPTIONS') return
  const found = operationAt(method, pathname)
  const { status, text } = response
  noteResponse({ method, path: found?.path ?? null, status, code: errorOf(status, response.headers, text) })
  if (found === null) {
    assertUnknown(pathname, response)
    return
  }
  const what = `${method} ${found.path} answered ${status} ${text.slice(0, 500)}`
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  const key = isPage ? 'default' : String(status)
  const { responses } = found.operation
  // A page says what the answer to a program would say, so it has no status that is not described.
  assert.ok(status < 400 || String(status) in responses || !isPage, `${what}; described are ${Object.keys(responses)}`)
  const written = responses[key]
  assert.ok(written !== undefined, `${what}; described are ${Object.keys(responses).join(', ')}`)
  const pointer = '$ref' in written ? written.$ref : `${found.pointer}/responses/${key}`
  assertHeaders(what, pointer, response.headers)
  assertBody(what, pointer, response)
}

const description = lazily(() => openApiDocument('http://localhost:8787'))

const validators = lazily(() => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': isMoment, date: /^\d{4}-\d\d-\d\d$/ },
  })
  ajv.addSchema(description(), 'openapi')
  const known = new Map<string, ValidateFunction>()
  return (pointer: string): ValidateFunction => {
    const found = known.get(pointer) ?? ajv.compile({ $ref: `openapi${encodeURI(pointer)}` })
    known.set(pointer, found)
    return found
  }
})

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

const templates = lazily(() =>
  Object.entries(description().paths).map(([path, item]) => ({
    path,
    item,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

function operationAt(method: string, pathname: string): { path: string; pointer: string; operation: Operation } | null {
  const verb = method.toLowerCase() as 'get' | 'post' | 'delete'
  for (const { path, item, pattern } of templates()) {
    const operation = item[verb]
    if (operation !== undefined && pattern.test(pathname)) {
      return { path, operation, pointer: `#/paths/${escaped(path)}/${verb}` }
    }
  }
  return null
}

/** Under /api and /edge there is nothing but what is described. */
function assertUnknown(pathname: string, { status, text }: Answered): void {
  if (!/^\/(api|edge)(\/|$)/.test(pathname)) return
  assert.ok(status >= 400, `${pathname} is not described, and answered ${status} ${text.slice(0, 500)}`)
}

function assertHeaders(what: string, pointer: string, headers: Headers): void {
  const { headers: described = {} } = at(pointer) as ApiResponse
  for (const [name, { $ref }] of Object.entries(described)) {
    const value = headers.get(name)
    const { required = false } = at($ref) as { required?: boolean }
    if (value === null) assert.ok(!required, `${what} without ${name}`)
    else assertFits(`${what}: ${name}: ${value}`, `${$ref}/schema`, value)
  }
  for (const name of TOLD)
    assert.ok(!headers.has(name) || name in described, `${what} with ${name}, which is not described`)
}

function assertBody(what: string, pointer: string, { status, headers, text }: Answered): void {
  const { content } = at(pointer) as ApiResponse
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (content === undefined) {
    assert.equal(text, '', what)
    return
  }
  // What a prefetch is told (http/callers/prefetch.ts).
  if (status === 503 && text === '' && type === '') return
  assert.ok(type in content, `${what} as ${type}; described are ${Object.keys(content).join(', ')}`)
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  assertFits(what, `${pointer}/content/${escaped(type)}/schema`, value)
}

function assertFits(what: string, pointer: string, value: unknown): void {
  const validate = validators()(pointer)
  assert.ok(validate(value), `${what} is not as described: ${JSON.stringify(validate.errors)}`)
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function at(pointer: string): unknown {
  const keys = pointer.slice(2).split('/')
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    description(),
  )
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
