import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@gatehouse-auth/contract'
import { assertApiError } from '../support/actors/api-error.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

/** Sends the target unchanged, without the normalization of a URL parser. */
const get = (baseUrl: string, target: string, ...headers: string[]) =>
  rawHttp(baseUrl, [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers])

// proves C013, C149
test('an unknown path under /api or /edge is a 404 that names the nearest endpoint', async (t) => {
  const { agent } = await world(t)
  for (const [path, nearest] of [
    ['/api/statuss', 'GET /api/status'],
    ['/api/status/', 'GET /api/status'],
    ['/api/resource/social-login', 'POST /api/resources/social-login'],
    ['/api/social-login/user', 'GET /api/social-login/users'],
    ['/edge/sessions', 'POST /edge/session'],
  ] as const) {
    assert.deepEqual(
      assertApiError(await agent.call('GET', path), 'unknownRoute'),
      { nearest },
      path,
    )
  }
  const mistyped = await agent.call('POST', '/edge/auth/some-tenant/refesh', { body: {} })
  assert.deepEqual(assertApiError(mistyped, 'unknownRoute'), {
    nearest: 'POST /edge/auth/:tenantId/refresh',
  })
  for (const path of [
    '/api',
    '/api/',
    '/edge',
    '/edge/',
    '/api//status',
    '/edge/auth',
    `/api/${'x/'.repeat(500)}`,
  ]) {
    const { nearest } = assertApiError(
      await agent.call('POST', path, { body: '{' }),
      'unknownRoute',
    )
    assert.match(nearest, /^(GET|POST|DELETE) \//)
  }
  // An agent may follow the proposal: it must not create a tenant by mistake.
  for (const path of [
    '/api/genes',
    '/api/genesis/',
    '/api/genesis/x',
    '/api/gen',
    '/api/tenants',
    '/api/x',
    '/api',
  ]) {
    const response = await agent.call('POST', path, { body: {} })
    const { nearest } = assertApiError(response, 'unknownRoute')
    assert.ok(
      nearest !== 'POST /api/genesis' && !response.text.includes('/api/genesis'),
      `${path}: ${nearest}`,
    )
  }
  const asPage = await agent.call('GET', '/api/nothing', { headers: { Accept: 'text/html' } })
  assertApiError(asPage, 'unknownRoute')
})

test('a known path with another method is a 405 that lists the allowed methods', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  for (const { path } of ENDPOINTS.filter((endpoint) => /^\/(api|edge)\//.test(endpoint.path))) {
    const methods = ENDPOINTS.filter((endpoint) => endpoint.path === path).map(
      ({ method }) => method as string,
    )
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    const address = pathOf({ path } as (typeof ENDPOINTS)[number], { tenantId: tenant.id })
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      if (methods.includes(method)) {
        continue
      }
      const response = await agent.call(method, address, { key: tenant.key })
      assert.deepEqual(
        assertApiError(response, 'methodNotAllowed'),
        { allow: methods },
        `${method} ${path}`,
      )
      assert.equal(response.headers.get('allow'), allow)
    }
    const options = await agent.call('OPTIONS', address)
    assert.deepEqual(
      [options.status, options.text, options.headers.get('api-version')],
      [204, '', '1'],
    )
    assert.equal(options.headers.get('allow'), allow, path)
  }
  assertApiError(await agent.call('OPTIONS', '/api/nothing'), 'unknownRoute')
  assert.deepEqual(await tenant.eventKinds(), [])
})

test('HEAD returns the headers of GET, and 405 where there is no GET', async (t) => {
  const { agent } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  for (const path of ['/api/status', '/api/social-login/users', '/api/social-login/events', '/']) {
    const [head, whole] = [
      await agent.call('HEAD', path, { key: tenant.key }),
      await agent.call('GET', path, { key: tenant.key }),
    ]
    assert.deepEqual([head.status, head.text], [200, ''], path)
    assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'))
  }
  const head = async (path: string): Promise<unknown> => {
    const { status, text } = await rawHttp(agent.baseUrl, [
      `HEAD ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
    ]).then(({ status, body }) => ({ status, text: body }))
    return [status, text]
  }
  assert.deepEqual(await head('/api/status'), [401, ''])
  assert.deepEqual(await head('/api/genesis'), [405, ''])
  assert.deepEqual(await head('/nothing'), [404, ''])
})

// proves C150
test('an unknown page is HTML for browsers, JSON for clients that ask for it, and plain text for others', async (t) => {
  const { agent, baseUrl } = await world(t)
  const path = '/wp-login.php?x=<script>alert(1)</script>'
  const page = await agent.call('GET', path, { headers: { Accept: 'text/html' } })
  assert.equal(page.status, 404)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page.text, /href="\/docs\/errors"/)
  for (const accept of ['*/*', 'text/plain']) {
    const text = await agent.call('GET', path, { headers: { Accept: accept } })
    assert.deepEqual(
      [text.status, /^text\/plain/.test(text.headers.get('content-type') ?? '')],
      [404, true],
    )
    assert.ok(text.text.includes(`${baseUrl}/docs/errors`))
  }
  const json = await agent.call('GET', path, { headers: { Accept: 'application/json' } })
  const { message } = json.json.error
  assert.deepEqual([json.status, json.json.error.code], [404, 'unknownRoute'])
  for (const link of ['/sitemap.xml', '/llms.txt', '/docs', '/developers']) {
    assert.ok(message.includes(baseUrl + link))
  }
  for (const { text } of [
    page,
    await agent.call('GET', '/%3Cscript%3Ealert(1)%3C/script%3E', {
      headers: { Accept: 'text/html' },
    }),
  ]) {
    assert.doesNotMatch(text, /<script/)
  }
})

test('no alternative spelling of a path reaches another route or tenant', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const bearer = `Authorization: Bearer ${tenant.key}`
  for (const target of [
    '//api/status',
    '/./api/../api/status/',
    '/API/status',
    '/api\\status',
    '/api/status;x',
    '/%61pi/status',
    '/api/%73tatus',
    '/api/statu%73',
    '/API/%53TATUS',
    '/api/status%20',
  ]) {
    const { status, body } = await get(baseUrl, target, bearer)
    assert.ok([400, 404].includes(status), `${target} ${status}`)
    assert.ok(!body.includes('seconds_left'), target)
  }
  for (const id of [
    `${tenant.id}%2fx`,
    `x%2f${tenant.id}`,
    `${tenant.id}%00`,
    '%zz',
    '%ff',
    `${tenant.id}%20`,
  ]) {
    const { status, body } = await get(baseUrl, `/edge/auth/${id}/google`)
    assert.deepEqual([status, JSON.parse(body).error.code], [404, 'tenantNotFound'], id)
  }
  // Letters, digits, `-`, `.`, `_` and `~` never need encoding.
  const encoded = `%${tenant.id.charCodeAt(0).toString(16)}${tenant.id.slice(1)}`
  for (const path of [
    `/edge/auth/${encoded}/google`,
    `/edge/auth/%2e%2e%2f${tenant.id}/google`,
    '/metri%63s',
    '/%7e',
  ]) {
    assert.equal((await get(baseUrl, path)).status, 404, path)
  }
  const absolute = await get(baseUrl, 'http://evil.test/api/status', bearer)
  assert.ok(!absolute.body.includes('evil.test') && !absolute.head.includes('evil.test'))
  for (const method of ['TRACE', 'CONNECT', 'QUERY', 'BREW']) {
    const { status } = await rawHttp(baseUrl, [
      `${method} /api/status HTTP/1.1`,
      'Host: x',
      'Connection: close',
    ])
    assert.ok(status === 0 || (status >= 400 && status < 500), `${method} ${status}`)
  }
  assert.deepEqual(await tenant.eventKinds(), [])
})
