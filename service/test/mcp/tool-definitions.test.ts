import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SCOPES, type Scope, TOOL_NAMES, TOOLS } from '@gatehouse-auth/contract'
import type { Grant } from '../../src/domain/oauth/grant.ts'
import { toolsFor } from '../../src/http/mcp/catalog.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

const grantWith = (scopes: readonly Scope[]): Grant => ({
  id: 1,
  clientId: 'client',
  clientName: 'Client',
  subject: { kind: 'account', accountId: 1 },
  scopes,
  resource: 'http://localhost/mcp',
  createdAt: 0,
  lastUsedAt: 0,
})

const listFor = (scopes: readonly Scope[]) => toolsFor({ kind: 'oauth', grant: grantWith(scopes) })

const LISTS = [
  ['public', toolsFor({ kind: 'public' })],
  ['oauth', listFor(SCOPES)],
] as const

// proves C090
test('there are exactly six tools', () => {
  assert.deepEqual(
    [...TOOL_NAMES],
    [
      'get_service_documentation',
      'create_tenant',
      'claim_tenant',
      'tenant_status',
      'provision_resource',
      'give_feedback',
    ],
  )
  for (const [caller, tools] of LISTS) {
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...TOOL_NAMES],
      caller,
    )
  }
})

test('every tool is called by a journey test', () => {
  const journeys = ['public-journey.test.ts', 'oauth-journey.test.ts']
  for (const journey of journeys) {
    const text = readFileSync(new URL(journey, import.meta.url), 'utf8')
    const missing = TOOL_NAMES.filter(
      (name) => name !== 'get_service_documentation' && !text.includes(`'${name}'`),
    )
    assert.deepEqual(missing, [], journey)
  }
  assert.ok(existsSync(new URL('documentation.test.ts', import.meta.url)))
})

test('tool descriptions are complete and fit the limits of clients', () => {
  for (const { name, title, description } of TOOLS) {
    assert.match(title, /^[A-Z].{5,40}$/, name)
    assert.match(description, /^[A-Z].{20,1000}\.$/s, name)
  }
})

test('tool annotations are complete and consistent', () => {
  for (const [caller, tools] of LISTS) {
    for (const { name, annotations = {} } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
      for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
        assert.equal(typeof hint, 'boolean', `${caller} ${name}`)
      }
      if (readOnlyHint) {
        assert.deepEqual([destructiveHint, idempotentHint], [false, true], `${caller} ${name}`)
      }
    }
  }
  const idempotent = LISTS.map(
    ([, tools]) => tools.find(({ name }) => name === 'create_tenant')?.annotations?.idempotentHint,
  )
  assert.deepEqual(
    idempotent,
    [false, true],
    'only a creation with an idempotency key can be repeated',
  )
  for (const [caller, tools] of LISTS) {
    const claim = tools.find(({ name }) => name === 'claim_tenant')
    assert.equal(
      claim?.annotations?.idempotentHint,
      false,
      `${caller}: a second claim_tenant replaces the first link`,
    )
  }
})

// proves C092
test('tool schemas are closed and self-contained, and list the arguments of each kind of caller', () => {
  for (const [caller, tools] of LISTS) {
    for (const { name, inputSchema, outputSchema } of tools) {
      const text = JSON.stringify([inputSchema, outputSchema])
      assert.ok(!/"\$(ref|defs|schema|id)"/.test(text), `${name} uses a reference`)
      assert.ok(!text.includes('x-mcp-header'), name)
      for (const object of objectsIn([inputSchema, outputSchema])) {
        assert.equal(
          object.additionalProperties,
          false,
          `${caller} ${name}: ${JSON.stringify(object).slice(0, 100)}`,
        )
      }
      const { properties = {}, required = [] } = inputSchema as Schema
      const confirms = ['create_tenant', 'claim_tenant', 'provision_resource'].includes(name)
      assert.equal(properties.confirmed?.const, confirms ? true : undefined, name)
      assert.equal(required.includes('confirmed'), confirms, name)

      const ofTenant = name !== 'create_tenant' && name !== 'get_service_documentation'
      assert.equal(required.includes('tenant_id'), ofTenant, name)
      const key = properties.coh_management_key
      const takesKey = ofTenant && caller === 'public'
      assert.equal(required.includes('coh_management_key'), takesKey, name)
      assert.deepEqual(
        [key?.type, key?.writeOnly],
        takesKey ? ['string', true] : [undefined, undefined],
      )
      assert.equal(
        required.includes('idempotency_key'),
        name === 'create_tenant' && caller === 'oauth',
      )
    }
  }
  assert.deepEqual(LISTS[0][1][0]?.inputSchema, { type: 'object', additionalProperties: false })
})

test('no tool result has a field for a secret, except the credentials file of a new tenant', () => {
  for (const { name, outputSchema } of LISTS[1][1]) {
    const fields = objectsIn([outputSchema]).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    )
    const secret = fields.filter((field) =>
      /secret|token|password|authorization|cookie|hash|salt|wait|key/i.test(field),
    )
    assert.deepEqual(secret, [], name)
    assert.equal(fields.includes('content'), name === 'create_tenant')
  }
})

// proves C123
test('there are four scopes, and each tool needs the one of the specification', () => {
  assert.deepEqual(
    [...SCOPES],
    ['mcp:tenants:create', 'mcp:tenant:read', 'mcp:resources:write', 'mcp:feedback:write'],
  )
  assert.deepEqual(Object.fromEntries(TOOLS.map(({ name, scope }) => [name, scope])), {
    get_service_documentation: null,
    create_tenant: 'mcp:tenants:create',
    claim_tenant: 'mcp:tenants:create',
    tenant_status: 'mcp:tenant:read',
    provision_resource: 'mcp:resources:write',
    give_feedback: 'mcp:feedback:write',
  })
})

// proves C124
test('tools/list contains the tools of the granted scopes and the documentation, in a fixed order', () => {
  for (let mask = 0; mask < 16; mask++) {
    const scopes = SCOPES.filter((_, bit) => mask & (1 << bit))
    const expected = TOOLS.filter(({ scope }) => scope === null || scopes.includes(scope)).map(
      ({ name }) => name,
    )
    const names = (granted: readonly Scope[]) => listFor(granted).map(({ name }) => name)
    assert.deepEqual(names(scopes), expected)
    assert.deepEqual(names([...scopes].reverse()), expected)
    assert.equal(listFor(scopes), listFor(scopes), 'lists are cached')
  }
})

test('tools/list is cacheable privately for a minute, server/discover publicly for an hour', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const listed = (await wire.request('tools/list', {}, {}, 'modern')).json.result
  assert.deepEqual(
    [listed.ttlMs, listed.cacheScope, listed.resultType],
    [60_000, 'private', 'complete'],
  )
  const discovered = (await wire.request('server/discover', {}, {}, 'modern')).json.result
  assert.deepEqual([discovered.ttlMs, discovered.cacheScope], [3_600_000, 'public'])
  assert.deepEqual(discovered.capabilities, { tools: {} }, 'no other capability and no listChanged')
  assert.deepEqual(discovered.supportedVersions, ['2026-07-28'])
  const again = (await wire.request('tools/list', {}, {}, 'modern')).json.result
  assert.deepEqual(again, listed)
  assert.ok(JSON.stringify(listed).length < 20_000, 'every character costs context tokens')
})

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly writeOnly?: boolean
  readonly additionalProperties?: unknown
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
}

/** All object schemas in a schema, at any depth. */
function objectsIn(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null) {
    return []
  }
  const inside = Object.values(node).flatMap(objectsIn)
  return (node as Schema).type === 'object' ? [node as Schema, ...inside] : inside
}
