import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@gatehouse-auth/contract'
import {
  API_ERRORS,
  type ApiErrorCode,
  BODY_MAX_BYTES,
  ENDPOINTS,
  type Endpoint,
  TOOLS,
} from '@gatehouse-auth/contract'
import type { Agent, ApiResponse, CallOptions, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'

const every: readonly Endpoint[] = ENDPOINTS

test('every endpoint has a unique name, method and path', () => {
  const names = every.map(({ id }) => id)
  const addresses = every.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual([...new Set(names)], names)
  assert.deepEqual([...new Set(addresses)], addresses)
  for (const { id, summary, errors } of every) {
    assert.match(id, /^[a-z][A-Za-z]+$/)
    assert.match(summary, /^[A-Z].*[.?]$/)
    assert.deepEqual([...new Set(errors)], errors, `${id} lists an error twice`)
  }
})

test('every endpoint and tool that the contract defines is in its list', () => {
  const exported: readonly unknown[] = Object.values(contract)
  const having = (field: string): unknown[] =>
    exported.filter((each) => typeof each === 'object' && each !== null && field in each)
  const named = (list: readonly unknown[], field: 'id' | 'name'): string[] =>
    list.map((each) => String((each as Record<string, unknown>)[field])).sort()

  assert.deepEqual(named(having('summary'), 'id'), named(ENDPOINTS, 'id'))
  assert.deepEqual(named(having('annotations'), 'name'), named(TOOLS, 'name'))
})

/** Mistakes that a caller can make at any endpoint. */
async function* probes(
  agent: Agent,
  endpoint: Endpoint,
  tenant: Tenant,
  others: readonly Tenant[],
) {
  const { method, id, bodyMaxBytes = BODY_MAX_BYTES } = endpoint
  // The banned User-Agent keeps this probe from creating a tenant.
  const headers: Record<string, string> = id === 'createGuestTenant' ? { 'User-Agent': 'curl' } : {}
  const call = (
    { id: tenantId }: Tenant,
    query = '',
    options: CallOptions = {},
  ): Promise<ApiResponse> =>
    agent.call(method, pathOf(endpoint, { tenantId }) + query, {
      ...options,
      headers: { ...headers, ...options.headers },
    })
  const key = ({ key }: Tenant): CallOptions => (endpoint.auth === 'management' ? { key } : {})

  yield call(tenant)
  yield call(tenant, '', { key: 'garbage' })
  yield call(tenant, '', { key: tenant.applicationKey })
  yield call(tenant, `?key=${tenant.key}`, key(tenant))
  yield call(tenant, '?unknown=1', key(tenant))
  yield call(tenant, '?twice=1&twice=2', key(tenant))
  for (const other of [tenant, ...others]) {
    yield call(other, `?key=${other.applicationKey}`, key(other))
  }
  for (const other of [tenant, ...others]) {
    yield call(other, '', key(other))
  }
  if (method !== 'POST') {
    return
  }
  yield call(tenant, '', { ...key(tenant), body: '{' })
  yield call(tenant, '', { ...key(tenant), body: '{}', headers: { 'Content-Type': 'text/plain' } })
  yield call(tenant, '', { ...key(tenant), body: `"${'x'.repeat(bodyMaxBytes)}"` })
  const body = { access_token: 'x', refresh_token: 'x', feedback: 'x', callback_url: 'x' }
  for (const other of [tenant, ...others]) {
    yield call(other, '', { ...key(other), body })
  }
}

// proves C005
test('every endpoint is mounted and returns only the error codes that its contract lists', {
  skip: slow,
}, async (t) => {
  const { agent, app, clock, logLines } = await world(t)
  const expired = await agent.createTenant()
  clock.advance({ hours: 72 })
  const [active, unprovisioned, paused] = [
    await agent.createTenant(),
    await agent.createTenant(null),
    await agent.createTenant(),
  ]
  await app.ctx.stores.tenants.pause(paused.id, 'lifetime_events', clock.now())
  const unlisted = new Set<string>()
  for (const endpoint of every) {
    for await (const response of probes(agent, endpoint, active, [
      unprovisioned,
      paused,
      expired,
    ])) {
      assert.ok(response.status < 500, `${endpoint.id}: ${response.status} ${response.text}`)
      const code = response.json?.error?.code
      if (code === undefined) {
        continue
      }
      assert.ok(
        code !== 'unknownRoute' && code !== 'methodNotAllowed',
        `${endpoint.id} is not mounted`,
      )
      if (/^\/(api|edge)\//.test(endpoint.path)) {
        assertApiError(response, code)
      }
      if (!endpoint.errors.includes(code)) {
        unlisted.add(`${endpoint.id}: ${code}`)
      }
    }
  }
  assert.deepEqual([...unlisted].sort(), [])
  assert.ok(!logLines.join('').includes('"level":50'))
})

test('every endpoint that needs a live tenant returns tenantExpired for an expired one, even for a valid request', async (t) => {
  const { agent, clock } = await world(t)
  const tenant = await agent.createTenant()
  clock.advance({ hours: 72 })
  const endpoints: readonly Endpoint[] = ENDPOINTS.filter(
    ({ auth, errors }) => auth === 'management' && errors.some(isTenantExpired),
  )
  assert.ok(endpoints.length >= 10)
  for (const endpoint of endpoints) {
    const { params, body } = endpoint.example
    const response = await tenant.manage(endpoint.method, pathOf(endpoint, params), body)
    assert.equal(response.status, 410, `${endpoint.id}: ${response.text}`)
    assertApiError(response, 'tenantExpired')
  }
})

const isTenantExpired = (code: ApiErrorCode): boolean => code === 'tenantExpired'

// proves C152
test('every error code is documented on /docs/errors', async (t) => {
  const { agent } = await world(t)
  const { status, text } = await agent.call('GET', '/docs/errors')
  assert.equal(status, 200)
  const entries = [...text.matchAll(/<h3 id="(\w+)">(.*?)(?=<h[23] |<\/article>)/gs)]
  assert.deepEqual(entries.map(([, code]) => code).toSorted(), Object.keys(API_ERRORS).toSorted())
  for (const [, code = '', entry = ''] of entries) {
    const { status: expected, retryable } = API_ERRORS[code as keyof typeof API_ERRORS]
    for (const part of ['Cause', 'Fix']) {
      assert.ok(entry.includes(`<strong>${part}:</strong>`), `${code}: ${part}`)
    }
    assert.ok(entry.includes(`<figcaption>${expected}</figcaption>`), code)
    const example = entry.replace(/<[^>]+>/g, '')
    assert.ok(example.includes(`&quot;retryable&quot;: ${retryable}`), code)
  }
})
