import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import {
  API_ERRORS,
  ENDPOINTS,
  type Endpoint,
  LOGIN_FAILURES,
  OAUTH_ENDPOINTS,
} from '@gatehouse-auth/contract'
import { openApiDocument } from '../../src/http/discovery/openapi/document.ts'
import type { ApiResponse, Operation, Ref } from '../../src/http/discovery/openapi/types.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// support/ledger/openapi-conformance.ts validates the responses of all tests against this document.

const document = openApiDocument('https://login.gatehouse.test', true)
const operations = Object.entries(document.paths).flatMap(([at, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    at,
    method,
    operation: operation as Operation,
  })),
)

test('/openapi.json is public, cacheable and revalidated by its ETag', async (t) => {
  const { agent, baseUrl } = await world(t)
  const { status, headers, json } = await agent.call('GET', '/openapi.json')
  assert.equal(status, 200)
  assert.deepEqual(json, JSON.parse(JSON.stringify(openApiDocument(baseUrl, true))))
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
  const etag = headers.get('etag') ?? ''
  const again = await agent.call('GET', '/openapi.json', { headers: { 'If-None-Match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('/openapi.json?tags=sessions is the sign-in part alone, with exactly the components that it refers to', async (t) => {
  const { agent } = await world(t)
  const { status, headers, json, text } = await agent.call('GET', '/openapi.json?tags=sessions')
  assert.equal(status, 200)
  assert.ok(text.length < 60_000, `${text.length} characters`)
  const sessions = operations.filter(({ operation }) => operation.tags.includes('Sessions'))
  const ids = Object.values(json.paths as object).flatMap((item) =>
    Object.values(item as Record<string, Operation>),
  )
  assert.deepEqual(
    ids.map(({ operationId }) => operationId),
    sessions.map(({ operation }) => operation.operationId),
  )
  const refs = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, ref]) => ref))
  const { securitySchemes, ...components } = json.components as Record<string, object>
  const written = Object.entries(components).flatMap(([section, all]) =>
    Object.keys(all).map((name) => `${section}/${name}`),
  )
  assert.deepEqual(written.sort(), [...refs].sort())
  const etag = headers.get('etag') ?? ''
  const again = await agent.call('GET', '/openapi.json?tags=sessions', {
    headers: { 'If-None-Match': etag },
  })
  assert.equal(again.status, 304)

  const two = await agent.call('GET', '/openapi.json?tags=users-and-events,Sessions')
  assert.deepEqual(
    two.json.tags.map(({ name }: { name: string }) => name),
    ['Users and events', 'Sessions'],
  )
  for (const tags of ['nope', 'sessions,nope', '', 'sessions,']) {
    const refused = await agent.call('GET', `/openapi.json?tags=${tags}`)
    assert.equal(refused.status, 400, tags)
    assert.match(refused.json.error.message, /tenants, claims, social-login, .*sessions/)
  }
})

test('the OpenAPI document passes the Redocly linter', { skip: slow }, async () => {
  const file = path.join(await freshFolder(), 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const program = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const printed = await run(
    process.execPath,
    [program, 'lint', file, '--extends=recommended', '--format=json'],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      cwd: path.dirname(file),
    },
  )
  const { problems } = JSON.parse(printed.slice(printed.indexOf('{'))) as {
    problems: { message: string }[]
  }
  assert.deepEqual(
    problems.map(({ message }) => message),
    [],
  )
})

// proves C020
test('every error_code of a failed login is listed in the OpenAPI document and on the events page', async (t) => {
  const { agent } = await world(t)
  const events = (await agent.call('GET', '/docs/events.md')).text
  const codes = Object.keys(LOGIN_FAILURES)
  for (const [code, meaning] of Object.entries(LOGIN_FAILURES)) {
    assert.ok(events.includes(`| \`${code}\` | ${meaning} |`))
  }
  const { AuthEvent } = document.components.schemas
  assert.ok(JSON.stringify(AuthEvent).includes(`"enum":${JSON.stringify(codes)}`))
  // Of events, insights, observability and the test of a provider.
  assert.equal(JSON.stringify(document).split(JSON.stringify(codes)).length - 1, 4)
})

// proves C178
test('response schemas allow additional properties, and request schemas do not', () => {
  const schemaNames = (node: unknown): string[] =>
    [...JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name ?? '',
    )
  const isClosed = (node: unknown): boolean =>
    JSON.stringify(node).includes('"additionalProperties":false')
  const schemas: Readonly<Record<string, unknown>> = document.components.schemas
  const responses = [
    document.components.responses,
    operations.map(({ operation }) => operation.responses),
  ]
  const named = new Set(schemaNames(responses))
  for (const name of named) {
    for (const inner of schemaNames(schemas[name])) {
      named.add(inner)
    }
  }
  assert.ok(named.size > 5 && named.has('TenantStatus') && named.has('Error'), [...named].join())
  for (const name of named) {
    assert.ok(!isClosed(schemas[name]), name)
  }
  assert.ok(!isClosed(responses))

  const provision = document.paths['/api/resources/social-login']?.post
  assert.deepEqual(schemaNames(provision?.requestBody), ['SocialLoginConfiguration'])
  assert.ok(isClosed(schemas.SocialLoginConfiguration), 'an unknown field of a request is an error')
})

// proves C178
test('the OpenAPI document has every endpoint of the contract, with its errors and security', () => {
  for (const endpoint of ENDPOINTS as readonly Endpoint[]) {
    const found = operations.find(({ operation }) => operation.operationId === endpoint.id)
    assert.ok(found, endpoint.id)
    assert.equal(found.at, endpoint.path.replace(/:([A-Za-z_]+)/g, '{$1}'))
    assert.equal(found.method, endpoint.method.toLowerCase())
    assert.equal(found.operation.security.length, endpoint.auth === 'none' ? 0 : 1)
    for (const code of endpoint.errors) {
      const written: ApiResponse | Ref | undefined =
        found.operation.responses[String(API_ERRORS[code].status)]
      assert.ok(written !== undefined && '$ref' in written, `${endpoint.id}: ${code}`)
      const { description } = document.components.responses[
        written.$ref.split('/').at(-1) ?? ''
      ] as ApiResponse
      assert.ok(description.includes(`\`${code}\``), `${endpoint.id}: ${code}`)
    }
  }
  for (const { id } of OAUTH_ENDPOINTS) {
    assert.ok(
      operations.some(({ operation }) => operation.operationId === id),
      id,
    )
  }
})

test('the OpenAPI document has the common headers on every response under /api and /edge', () => {
  for (const { at, operation } of operations.filter(({ at }) => /^\/(api|edge)\//.test(at))) {
    for (const [status, written] of Object.entries(operation.responses)) {
      const { headers = {} } =
        '$ref' in written
          ? (document.components.responses[written.$ref.split('/').at(-1) ?? ''] as ApiResponse)
          : written
      for (const name of ['API-Version', 'X-Request-Id']) {
        assert.ok(name in headers, `${at} ${status}: ${name}`)
      }
      if (status === '429' || status === '503') {
        assert.ok('Retry-After' in headers, `${at} ${status}`)
      }
    }
  }
  const retired = operations.find(({ at }) => at === '/mcp/manage')?.operation
  assert.equal(retired?.deprecated, true)
  const { headers = {} } = document.components.responses.endpointRetired as ApiResponse
  for (const name of ['Deprecation', 'Sunset', 'Link']) {
    assert.ok(name in headers, name)
  }
})

test('every response of the OpenAPI document is of one status or of all others: generators write no valid code for 4XX', () => {
  for (const { at, operation } of operations) {
    for (const status of Object.keys(operation.responses)) {
      assert.match(status, /^(\d{3}|default)$/, at)
    }
  }
})

test('every operation that repeats its response to the same Idempotency-Key documents the header', () => {
  const documented = operations
    .filter(({ operation }) =>
      operation.parameters?.some((each) => 'name' in each && each.name === 'Idempotency-Key'),
    )
    .map(({ operation }) => operation.operationId)
  assert.deepEqual(documented.sort(), ['createWebhook', 'exchangeLoginCode', 'refreshSession'])
})

test('POST /api/genesis has one typed success, and the text form is a documented variant of it', () => {
  const { post } = openApiDocument('https://login.example.com', true).paths['/api/genesis'] ?? {}
  const created = post?.responses['201']
  assert.ok(created !== undefined && 'content' in created)
  assert.deepEqual(Object.keys(created.content ?? {}), ['application/json'])
  assert.deepEqual(
    post?.['x-variants']?.map(({ when, status, content }) => [when, status, Object.keys(content)]),
    [['Accept: text/plain', 201, ['text/plain']]],
  )
})
