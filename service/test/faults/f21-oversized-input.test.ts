import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, type Fixture } from '../support/faults/fixture.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { rssOf } from '../support/process/rss.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { long } from '../support/tags.ts'

const MEGABYTE = 1_024 * 1_024
const STREAMED = fullOrShort(1_024, 64) * MEGABYTE

/** Every kind of endpoint that reads a body: with a key, without one, as a form, and on the fast path. */
const ENDPOINTS = ({ id, key }: Tenant): readonly (readonly [string, string, number])[] => [
  [`POST /edge/auth/${id}/verify`, 'application/json', 64],
  [`POST /edge/auth/${id}/refresh`, 'application/json', 64],
  ['POST /api/genesis', 'application/json', 64],
  [
    `POST /api/resources/social-login HTTP/1.1\r\nAuthorization: Bearer ${key}`,
    'application/json',
    64,
  ],
  [`POST /api/feedback/service HTTP/1.1\r\nAuthorization: Bearer ${key}`, 'application/json', 256],
  ['POST /mcp', 'application/json', 128],
  ['POST /oauth/token', 'application/x-www-form-urlencoded', 64],
  ['POST /oauth/register', 'application/json', 64],
]

/** The request line and the headers of an endpoint. */
const head = (endpoint: string, type: string, more: readonly string[]): string =>
  [
    endpoint.includes('HTTP/1.1') ? endpoint : `${endpoint} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    ...more,
    '',
    '',
  ].join('\r\n')

async function send(
  t: TestContext,
  { cluster }: Fixture,
  text: string,
  body = '',
): Promise<RawSocket> {
  const socket = (await RawSocket.open(cluster.first.service.settings.PORT)).read()
  t.after(() => socket.destroy())
  await socket.send(text + body)
  return socket
}

async function statusesOf(socket: RawSocket): Promise<number[]> {
  await waitUntil(
    'a response, or the end of the connection',
    () => socket.statuses.length > 0 || !socket.isOpen,
  )
  return socket.statuses
}

async function assertHealthy({ cluster, app }: Fixture): Promise<void> {
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
  assert.ok(cluster.first.alive)
  assert.doesNotMatch(cluster.log, /RangeError|Maximum call stack|internalError/)
}

test('F21: a body that is endless or too large is rejected with 413 at every endpoint without using memory', {
  timeout: 120_000,
}, async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const idle = await rssOf(cluster.first.pid)
  let most = idle
  let sent = 0
  for (const [endpoint, type, kilobytes] of ENDPOINTS(app)) {
    const declared = await send(
      t,
      fixture,
      head(endpoint, type, [`Content-Length: ${1_024 * MEGABYTE}`]),
      '{',
    )
    assert.deepEqual(await statusesOf(declared), [413], endpoint)

    const endless = await send(t, fixture, head(endpoint, type, ['Transfer-Encoding: chunked']))
    const chunk = Buffer.from(`${(64 * 1_024).toString(16)}\r\n${' '.repeat(64 * 1_024)}\r\n`)
    const limit = STREAMED / ENDPOINTS(app).length
    for (let bytes = 0; bytes < limit && endless.isOpen; bytes += chunk.length) {
      await endless.send(chunk)
      sent += chunk.length
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    await endless.closed()
    // A client that keeps sending may see a reset before it reads the 413; no other status is allowed.
    assert.ok(
      endless.statuses.every((status) => status === 413),
      `${endpoint}: more than ${kilobytes} KB`,
    )
  }
  await assertHealthy(fixture)
  assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
  figure(
    t,
    `F21: ${ENDPOINTS(app).length} endpoints, ${count(Math.round(sent / 1_024))} KB sent before the connections closed, ${Math.round(idle)} MB before and ${Math.round(most)} MB at most`,
  )
})

test('F21: bytes after the Content-Length cause no second request', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { app } = fixture
  const body = `{"access_token":"x"}`
  const short = await send(
    t,
    fixture,
    head(`POST /edge/auth/${app.id}/verify`, 'application/json', ['Content-Length: 5']),
    body,
  )
  await short.closed()
  assert.deepEqual(new Set(short.statuses), new Set([400]), 'the surplus bytes are no request')
  await assertHealthy(fixture)
})

test('F21: a body shorter than its Content-Length creates nothing, and its connection is closed', {
  skip: long,
}, async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const short = await send(
    t,
    fixture,
    head('POST /api/genesis', 'application/json', ['Content-Length: 50']),
    '{}',
  )
  const [status] = await statusesOf(short)
  assert.ok(status === 408 || status === undefined, `${status}`)
  await assertHealthy(fixture)
})

test('F22: deeply nested, wide, long and malicious bodies are rejected without an internal error', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const bodies: Record<string, string> = {
    'deep arrays': '['.repeat(30_000) + ']'.repeat(30_000),
    'deep objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    'deep arrays without an end': '['.repeat(60_000),
    'many members': `{${Array.from({ length: 6_000 }, (_, at) => `"n${at}":1`).join(',')}}`,
    'a long number': '9'.repeat(60_000),
    'a long member name': `{"${'n'.repeat(60_000)}":1}`,
    __proto__: '{"__proto__":{"isAdmin":true},"access_token":"x"}',
    constructor: '{"constructor":{"prototype":{"isAdmin":true}}}',
    'a lone surrogate': '{"access_token":"\\ud800"}',
    'not UTF-8': '{"access_token":"\xff\xfe"}',
  }
  let rejected = 0
  for (const [endpoint, type] of ENDPOINTS(app)) {
    for (const [name, body] of Object.entries(bodies)) {
      const bytes = Buffer.from(body, name === 'not UTF-8' ? 'latin1' : 'utf8')
      const socket = await send(
        t,
        fixture,
        head(endpoint, type, ['Connection: close', `Content-Length: ${bytes.length}`]),
      )
      await socket.send(bytes)
      const statuses = await statusesOf(socket)
      const isVerify = endpoint.includes('/verify') && name === 'a lone surrogate'
      const expected = isVerify ? [200] : [400, 401, 413, 415]
      assert.equal(statuses.length, 1, `${endpoint}: ${name}`)
      assert.ok(
        expected.includes(statuses[0] ?? 0),
        `${endpoint}: ${name}: ${statuses} ${socket.received.slice(-300)}`,
      )
      rejected += 1
      socket.destroy()
    }
  }
  await assertHealthy(fixture)
  assert.deepEqual(cluster.seen.violations, [])
  figure(
    t,
    `F22: ${rejected} malicious bodies at ${ENDPOINTS(app).length} endpoints, 0 accepted, 0 internal errors`,
  )
})

test('F23: too many or too large headers, cookies or URLs are rejected with 431, and the next request is served', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { app } = fixture
  const floods: Record<string, readonly string[]> = {
    '2,000 headers': Array.from({ length: 2_000 }, (_, at) => `X-${at}: y`),
    '64 KB in one header': [`X-Long: ${'y'.repeat(64 * 1_024)}`],
    '400 cookies': [
      `Cookie: ${Array.from({ length: 400 }, (_, at) => `gatehouse_login=${at}-${'y'.repeat(40)}`).join('; ')}`,
    ],
    'a URL of 64 KB': [],
  }
  for (const [name, lines] of Object.entries(floods)) {
    const path = name === 'a URL of 64 KB' ? `/healthz?${'y'.repeat(64 * 1_024)}` : '/healthz'
    const socket = await send(
      t,
      fixture,
      [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n'),
    )
    assert.deepEqual(await statusesOf(socket), [431], name)
    await socket.closed()
  }
  // More than 100 headers within the size limit cause no internal error.
  const many = Array.from({ length: 300 }, (_, at) => `X-${at}: y`)
  const socket = await send(
    t,
    fixture,
    [
      `GET /edge/auth/${app.id}/google HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      ...many,
      '',
      '',
    ].join('\r\n'),
  )
  const [status = 0] = await statusesOf(socket)
  assert.ok(status < 500 && status > 0, `${status}`)
  await assertHealthy(fixture)
  figure(t, `F23: ${Object.keys(floods).length} header floods rejected with 431`)
})
