import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { BODY_MAX_BYTES, ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { CALLBACK } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

const GET = ['GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close']
const POST = ['POST /api/genesis HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
/** A second request, after whose response the connection closes. */
const PIPELINED_END = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const MEGABYTE = 1_024 * 1_024

/** Resolves when the write buffer is empty or the socket is closed. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', () => resolve())
  })

// proves S034
test('too many or too long headers are rejected with 431, not truncated', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const { key } = await agent.createTenant(null)
  const several = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `X-${index}: y`)
  const status = ['GET /api/status HTTP/1.1', 'Host: localhost', 'Connection: close']
  const fits = await rawHttp(baseUrl, [...status, ...several(90), `Authorization: Bearer ${key}`])
  assert.equal(fits.status, 200)
  // Truncating the headers could drop the Authorization header and make the request anonymous.
  for (const lines of [
    [...status, ...several(120), `Authorization: Bearer ${key}`],
    [...GET, ...several(2_000)],
    [...GET, `X: ${'y'.repeat(17_000)}`],
    [
      ...GET,
      `Cookie: ${Array.from({ length: 200 }, (_, index) => `c${index}=${'x'.repeat(100)}`).join('; ')}`,
    ],
    [`GET /${'x'.repeat(17_000)} HTTP/1.1`, 'Host: localhost', 'Connection: close'],
  ]) {
    assert.equal((await rawHttp(baseUrl, lines)).status, 431)
  }
})

test('a body is rejected at the size limit without reading the rest', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const announced = await rawHttp(
    baseUrl,
    [...POST, `Content-Length: ${1_024 * MEGABYTE}`],
    '{"a":"',
  )
  assert.equal(announced.status, 413, 'a gigabyte announced by Content-Length')

  // A chunked body announces no length: the client sends until the server stops reading.
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
  socket.on('error', () => {})
  let responseText = ''
  socket.on('data', (chunk) => {
    responseText += chunk
  })
  socket.write([...POST, 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
  const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`
  let sent = 0
  while (!socket.destroyed && sent < 64 * MEGABYTE) {
    sent += chunk.length
    if (!socket.write(chunk)) {
      await drained(socket)
    }
  }
  assert.match(responseText, /^HTTP\/1\.1 413 /)
  assert.ok(sent < 16 * MEGABYTE, `${sent} bytes were read of a body limited to ${BODY_MAX_BYTES}`)
})

/** Kibibytes of a body, as SECURITY.md has them. */
const BODY_LIMITS: readonly (readonly [kibibytes: number, method: string, path: string])[] = [
  [64, 'POST', '/api/genesis'],
  [64, 'POST', '/api/webhooks'],
  [256, 'POST', '/api/resources'],
  [256, 'PATCH', '/api/social-login/settings'],
  [256, 'POST', '/api/feedback/service'],
  [128, 'POST', '/mcp'],
  [16, 'POST', '/oauth/register'],
  [1_024, 'POST', '/api/social-login/import'],
]

// proves S034
test('a body may be as long as the limit of its endpoint, and not longer', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  // A guest can't import users.
  await claim(tenant, browser())
  const { key } = tenant
  for (const [kibibytes, method, path] of BODY_LIMITS) {
    const statusOf = async (bytes: number): Promise<number> => {
      const type = path.endsWith('import') ? 'application/x-ndjson' : 'application/json'
      const body = `{}${' '.repeat(bytes - 2)}`
      const credential = path.startsWith('/api/') ? { key } : {}
      return (
        await agent.call(method, path, { ...credential, headers: { 'Content-Type': type }, body })
      ).status
    }
    assert.notEqual(await statusOf(kibibytes * 1_024), 413, path)
    assert.equal(await statusOf(kibibytes * 1_024 + 1), 413, path)
  }
})

test('a compressed body is 415 at every endpoint, and its request changes nothing', {
  skip: slow,
}, async (t) => {
  const { agent, browser, clock } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  // An endpoint without a body reads none.
  const endpoints = (ENDPOINTS as readonly Endpoint[]).filter(
    ({ method, auth, body }) => method === 'POST' && auth !== 'oauth' && body !== undefined,
  )
  const json = JSON.stringify({
    access_token,
    refresh_token,
    feedback: 'x',
    callback_url: 'https://other.example/cb',
  })
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip']) {
    for (const endpoint of endpoints) {
      const path = pathOf(endpoint, { tenantId: tenant.id })
      const options = { key: tenant.key, body: json, headers: { 'Content-Encoding': encoding } }
      const response = await agent.call('POST', path, options)
      assertApiError(response, 'unsupportedMediaType')
      assert.match(response.json.error.message, /without Content-Encoding/)
      assert.equal(response.headers.get('accept-encoding'), 'identity')
    }
    // Simple bodies, which the fast path would handle.
    const coded = { 'Content-Encoding': encoding }
    assertApiError(await tenant.edge('verify', { access_token }, coded), 'unsupportedMediaType')
    assertApiError(await tenant.edge('refresh', { refresh_token }, coded), 'unsupportedMediaType')
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const mcp = await agent.call('POST', '/mcp', {
      body: message,
      headers: { 'Content-Encoding': encoding },
    })
    assert.equal(mcp.status, 415, mcp.text)
  }
  // Really compressed, through a client that compresses: the bytes are no JSON, but the message must say why.
  const zipped = await fetch(new URL(`/edge/auth/${tenant.id}/verify`, agent.baseUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: gzipSync(json),
  })
  assert.equal(zipped.status, 415)
  const plain = await tenant.edge('verify', { access_token }, { 'Content-Encoding': 'identity' })
  assert.equal(plain.json.valid, true)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  assert.equal(
    (await tenant.manage('GET', '/api/resources')).json.resources[0].callback_urls[0],
    CALLBACK,
  )
})

// proves S034
test('JSON that is nested too deeply, has too many values or repeats a name is rejected', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(null)
  const send = (body: string) => tenant.manage('POST', '/api/resources/social-login', body)
  const nested = (levels: number): string =>
    `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const problemOf = async (body: string): Promise<string> =>
    (await send(body)).json.error.details.problems
      .map(({ problem }: { problem: string }) => problem)
      .join()
  assert.doesNotMatch(await problemOf(nested(16)), /levels/)
  assert.match(await problemOf(nested(17)), /nested more than 16 levels/)
  assert.match(await problemOf('['.repeat(60_000)), /nested more than 16 levels/)
  const listed = (values: number): string => JSON.stringify({ x: Array(values - 2).fill(1) })
  assert.doesNotMatch(await problemOf(listed(2_000)), /values/)
  assert.match(await problemOf(listed(2_001)), /more than 2,000 values/)
  const twice =
    '{"callback_url":"https://app.example.com/cb","callback_url":"https://evil.test/cb"}'
  assert.match(await problemOf(twice), /came twice/)
  assert.deepEqual((await tenant.manage('GET', '/api/resources')).json, { resources: [] })
})

test('idle connections stay open for longer than the 60 s of common proxies, or for KEEP_ALIVE_SECONDS', async (t) => {
  const here = await world(t, { through: 'port' })
  assert.equal(here.app.server.keepAliveTimeout, 75_000)
  assert.match(
    (await rawHttp(here.baseUrl, ['GET /healthz HTTP/1.1', 'Host: localhost'], PIPELINED_END)).head,
    /timeout=75/,
  )
  assert.equal(
    (await world(t, { through: 'port', env: { KEEP_ALIVE_SECONDS: '620' } })).app.server
      .keepAliveTimeout,
    620_000,
  )
})

test('the time limit for headers starts with a request: a connection may be idle for longer and then send the next one', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  here.app.server.headersTimeout = 100
  const [idle, stalled] = [
    (await RawSocket.open(here.config.port)).read(),
    (await RawSocket.open(here.config.port)).read(),
  ]
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  await idle.send(request)
  await waitUntil('the first request is served', () => idle.statuses.length === 1)
  await stalled.send('GET /healthz HTTP/1.1\r\n')
  await stalled.closed()
  assert.deepEqual(stalled.statuses, [408])
  await idle.send(request)
  await waitUntil('the second request is served', () => idle.statuses.length === 2 || !idle.isOpen)
  assert.deepEqual([idle.isOpen, idle.statuses], [true, [200, 200]])
  idle.destroy()
})

// proves S034
test('the server limits the time to send a request and the number of connections', async (t) => {
  const { server } = (await world(t)).app
  assert.ok(server.headersTimeout > 0 && server.headersTimeout <= 10_000)
  assert.ok(server.requestTimeout > 0 && server.requestTimeout <= 15_000)
  assert.ok(server.maxConnections > 0 && server.maxConnections <= 10_000)
})
