import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, TOOL_NAMES } from '@gatehouse-auth/contract'
import { claim } from '../support/actors/claim.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { type World, world } from '../support/world.ts'

/** Path segments that a database, file system, template or URL parser might misinterpret. */
const IDS = [
  ...[
    '%00',
    '%ff',
    '%zz',
    '%ed%a0%80',
    '%0d%0aX:1',
    '%2f',
    '..%2f',
    "'%20or%201=1--",
    '%22%3e%3cscript%3e',
  ],
  ...[
    '__proto__',
    '-1',
    '1.5',
    '99999999999999999999',
    '%EF%BC%91',
    '%E2%80%AE',
    'x'.repeat(5_000),
  ],
]

const PAGES = [
  ...[
    '/claim/:id',
    '/c/:id',
    '/account/projects/:id',
    '/oauth/consent/:id',
    '/auth/consent/:id',
    '/docs/:id',
  ],
  ...['/mcp/tenants/:id/credentials', '/mcp/manage/:id', '/.well-known/:id', '/:id'],
]

/** The log contains no internal error. */
const assertNoInternalErrors = ({ logLines }: World): void =>
  assert.deepEqual(
    logLines.filter((line) => line.includes('"level":50')),
    [],
  )

for (const engine of ENGINES) {
  test(`[${engine}] malformed ids in URLs return 4xx, match no record and cause no internal error`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, baseUrl, clock } = here
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    const before = await everyRow(here)
    const parameterized: readonly Endpoint[] = ENDPOINTS.filter(({ path }) => path.includes(':'))
    for (const id of IDS) {
      const called = parameterized.map(async ({ method, path }) => {
        const body = method === 'POST' ? { body: { access_token: 'x', refresh_token: 'x' } } : {}
        const response = await agent.call(method, path.replace(/:[A-Za-z]+/g, id), {
          key: tenant.key,
          ...body,
        })
        assert.ok(
          [400, 404].includes(response.status),
          `${method} ${path} ${id}: ${response.status} ${response.text}`,
        )
      })
      const opened = PAGES.map(async (page) => {
        const response = await owner.request(baseUrl + page.replace(':id', id), {
          headers: { Accept: 'text/html' },
        })
        assert.ok(
          [400, 403, 404, 410].includes(response.status),
          `${page} ${id}: ${response.status}`,
        )
        assert.doesNotMatch(await response.text(), /<script|\r\nX:1/)
      })
      await Promise.all([...called, ...opened])
      // A key may send 120 invalid requests in a minute.
      clock.advance({ minutes: 1 })
    }
    const { request_records: _afterRecords, ...after } = await everyRow(here)
    const { request_records: _beforeRecords, ...unchanged } = before
    assert.deepEqual(after, unchanged, 'nothing was written')
    assertNoInternalErrors(here)
  })
}

/** Bodies that two parsers may interpret differently. */
const BODIES: readonly string[] = [
  ...['null', '[]', '{', '0', 'NaN', '\ufeff{}', '{}\u0000', '{} {}', '{"\\u005f_proto__":1}'],
  ...['{"a":{"constructor":{"prototype":{}}}}', '{"access_token":{}}', '{"refresh_token":1e999}'],
  ...[
    '{"access_token":"\\ud800"}',
    '{"refresh_token":"\\u0000"}',
    '{"callback_urls":{"length":1e9}}',
  ],
  ...[
    '{"feedback":"\\u0000"}',
    '{"confirmed":true,"idempotency_key":"\\u0000aaaaaaaa"}',
    '{"then":1,"toString":1}',
  ],
  ...[`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, `{"a":${'9'.repeat(60_000)}}`],
]

// proves S035
test('malformed bodies cause no internal error and no prototype pollution in any endpoint or tool', {
  skip: slow,
}, async (t) => {
  const here = await world(t)
  const { agent } = here
  const tenant = await agent.createTenant()
  for (const endpoint of ENDPOINTS.filter(
    ({ method }) => method === 'POST',
  ) as readonly Endpoint[]) {
    const path = pathOf(endpoint, { tenantId: tenant.id })
    const sent = BODIES.map(async (body) => {
      const { status, text } = await agent.call('POST', path, { key: tenant.key, body })
      assert.ok(status < 500, `${endpoint.id} ${body.slice(0, 60)}: ${status} ${text}`)
    })
    await Promise.all(sent)
  }
  const wire = new RawMcpClient(agent)
  for (const body of BODIES) {
    assert.ok((await wire.post(body)).status < 500, body.slice(0, 60))
    const called = TOOL_NAMES.filter((name) => name !== 'create_tenant').map(async (name) => {
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${body}}}`
      const { status, text } = await wire.post(call)
      assert.ok(status < 500, `${name} ${body.slice(0, 60)}: ${status} ${text}`)
    })
    await Promise.all(called)
  }
  assert.deepEqual(
    [Object.keys(Object.prototype), ({} as Record<string, unknown>).x],
    [[], undefined],
  )
  assertNoInternalErrors(here)
})

test('method override headers, fields and parameters are ignored', async (t) => {
  const here = await world(t)
  const { agent } = here
  const tenant = await agent.createTenant()
  const path = '/api/resources/social-login'
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method']) {
    const options = { key: tenant.key, headers: { [name]: 'DELETE' } }
    assert.equal((await agent.call('GET', '/api/resources', options)).status, 200)
    assert.equal((await agent.call('POST', path, { ...options, body: {} })).status, 400)
    assert.equal((await agent.call('POST', `${path}?${name}=DELETE`, options)).status, 400)
  }
  assert.equal((await tenant.manage('GET', '/api/resources')).json.resources.length, 1)
  assert.deepEqual(await tenant.eventKinds(), [])
})

test('a second Authorization header is never used', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const [mine, other] = [await agent.createTenant(), await agent.createTenant()]
  const getStatus = (...lines: string[]) =>
    rawHttp(baseUrl, ['GET /api/status HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines])
  const twice = await getStatus(
    `Authorization: Bearer ${mine.key}`,
    `Authorization: Bearer ${other.key}`,
  )
  assert.ok(
    !twice.body.includes(other.id),
    'a proxy that checks the first header cannot be bypassed',
  )
  assert.equal(
    (await getStatus('Authorization: Bearer x', `Authorization: Bearer ${mine.key}`)).status,
    401,
  )
  assert.equal((await getStatus(`authorization:\tBearer ${mine.key}`)).status, 200)
})
