import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { count, figure, fullOrShort } from '../support/faults/figures.ts'
import { createFixture, type Fixture } from '../support/faults/fixture.ts'
import { RawSocket } from '../support/faults/raw-socket.ts'
import { rssOf } from '../support/process/rss.ts'

const MEGABYTE = 1_024 * 1_024
const STREAMED = fullOrShort(1_024, 256) * MEGABYTE

/** Everywhere that a body is read: with a key, without one, by a form, and ahead of the framework. */
const DOORS = ({ id, key }: Tenant): readonly (readonly [string, string, number])[] => [
  [`POST /edge/auth/${id}/verify`, 'application/json', 64],
  [`POST /edge/auth/${id}/refresh`, 'application/json', 64],
  ['POST /api/genesis', 'application/json', 64],
  [`POST /api/resources/social-login HTTP/1.1\r\nAuthorization: Bearer ${key}`, 'application/json', 64],
  [`POST /api/feedback/service HTTP/1.1\r\nAuthorization: Bearer ${key}`, 'application/json', 256],
  ['POST /mcp', 'application/json', 256],
  ['POST /oauth/token', 'application/x-www-form-urlencoded', 64],
  ['POST /oauth/register', 'application/json', 64],
]

/** `POST /x HTTP/1.1`, and the headers that this door wants. */
const head = (caller: string, type: string, more: readonly string[]): string =>
  [
    caller.includes('HTTP/1.1') ? caller : `${caller} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    ...more,
    '',
    '',
  ].join('\r\n')

async function ask(t: TestContext, { cluster }: Fixture, text: string, body = ''): Promise<RawSocket> {
  const socket = (await RawSocket.open(cluster.first.service.settings.PORT)).read()
  t.after(() => socket.destroy())
  await socket.send(text + body)
  return socket
}

async function answered(socket: RawSocket, withinMs = 5_000): Promise<number[]> {
  const deadline = performance.now() + withinMs
  while (socket.statuses.length === 0 && socket.isOpen && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return socket.statuses
}

async function stillWell({ cluster, app }: Fixture): Promise<void> {
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
  assert.ok(cluster.first.alive)
  assert.doesNotMatch(cluster.log, /RangeError|Maximum call stack|internalError/)
}

test('F21: a body without end, or larger than it may be, is refused unread at every door, and costs no memory', {
  timeout: 120_000,
}, async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const idle = await rssOf(cluster.first.pid)
  let most = idle
  let sent = 0
  for (const [caller, type, kilobytes] of DOORS(app)) {
    const named = await ask(t, fixture, head(caller, type, [`Content-Length: ${1_024 * MEGABYTE}`]), '{')
    assert.deepEqual(await answered(named), [413], caller)

    const endless = await ask(t, fixture, head(caller, type, ['Transfer-Encoding: chunked']))
    const chunk = Buffer.from(`${(64 * 1_024).toString(16)}\r\n${' '.repeat(64 * 1_024)}\r\n`)
    const limit = STREAMED / DOORS(app).length
    for (let bytes = 0; bytes < limit && endless.isOpen; bytes += chunk.length) {
      await endless.send(chunk)
      sent += chunk.length
      most = Math.max(most, await rssOf(cluster.first.pid))
    }
    await endless.closed()
    // Whoever goes on sending may find the connection reset before the answer is read; nobody is let in.
    assert.ok(
      endless.statuses.every((status) => status === 413),
      `${caller}: more than ${kilobytes} KB`,
    )
  }
  await stillWell(fixture)
  assert.ok(most <= idle * 1.5 + 64, `I9: ${Math.round(most)} MB, from ${Math.round(idle)} MB`)
  figure(
    t,
    `F21: ${DOORS(app).length} doors, ${count(Math.round(sent / 1_024))} KB taken before they were shut, ${Math.round(idle)} MB before and ${Math.round(most)} MB at most`,
  )
})

test('F21: a length that is not true leaves no second request behind', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { app } = fixture
  const body = `{"access_token":"x"}`
  const short = await ask(
    t,
    fixture,
    head(`POST /edge/auth/${app.id}/verify`, 'application/json', ['Content-Length: 5']),
    body,
  )
  await short.closed()
  assert.deepEqual(new Set(short.statuses), new Set([400]), 'what is left over is no request')
  const long = await ask(t, fixture, head('POST /api/genesis', 'application/json', ['Content-Length: 50']), '{}')
  const [status] = await answered(long, 20_000)
  assert.ok(status === 408 || status === undefined, `${status}`)
  await stillWell(fixture)
})

test('F22: bodies that are deep, wide, long or poisoned are refused, and no parser, scrubber or logger falls over', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { cluster, app } = fixture
  const poisons: Record<string, string> = {
    'deep lists': '['.repeat(30_000) + ']'.repeat(30_000),
    'deep objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    'deep lists that never close': '['.repeat(60_000),
    'many names': `{${Array.from({ length: 6_000 }, (_, at) => `"n${at}":1`).join(',')}}`,
    'a long number': '9'.repeat(60_000),
    'a long name': `{"${'n'.repeat(60_000)}":1}`,
    __proto__: '{"__proto__":{"isAdmin":true},"access_token":"x"}',
    constructor: '{"constructor":{"prototype":{"isAdmin":true}}}',
    'a lone surrogate': '{"access_token":"\\ud800"}',
    'not UTF-8': '{"access_token":"\xff\xfe"}',
  }
  let refused = 0
  for (const [caller, type] of DOORS(app)) {
    for (const [name, body] of Object.entries(poisons)) {
      const bytes = Buffer.from(body, name === 'not UTF-8' ? 'latin1' : 'utf8')
      const socket = await ask(t, fixture, head(caller, type, ['Connection: close', `Content-Length: ${bytes.length}`]))
      await socket.send(bytes)
      const statuses = await answered(socket)
      const isVerify = caller.includes('/verify') && name === 'a lone surrogate'
      const expected = isVerify ? [200] : [400, 401, 413, 415]
      assert.equal(statuses.length, 1, `${caller}: ${name}`)
      assert.ok(expected.includes(statuses[0] ?? 0), `${caller}: ${name}: ${statuses} ${socket.received.slice(-300)}`)
      refused += 1
      socket.destroy()
    }
  }
  await stillWell(fixture)
  assert.deepEqual(cluster.seen.violations, [])
  figure(t, `F22: ${refused} poisoned bodies at ${DOORS(app).length} doors, 0 accepted, 0 failures of ours`)
})

test('F23: too many headers, cookies or bytes of them are refused with 431, and the next request is served', async (t) => {
  const fixture = await createFixture(t, 'sqlite')
  const { app } = fixture
  const floods: Record<string, readonly string[]> = {
    '2,000 headers': Array.from({ length: 2_000 }, (_, at) => `X-${at}: y`),
    '64 KB in one header': [`X-Long: ${'y'.repeat(64 * 1_024)}`],
    '400 cookies': [
      `Cookie: ${Array.from({ length: 400 }, (_, at) => `gatehouse_login=${at}-${'y'.repeat(40)}`).join('; ')}`,
    ],
    'an address of 64 KB': [],
  }
  for (const [name, lines] of Object.entries(floods)) {
    const path = name === 'an address of 64 KB' ? `/healthz?${'y'.repeat(64 * 1_024)}` : '/healthz'
    const socket = await ask(t, fixture, [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n'))
    assert.deepEqual(await answered(socket), [431], name)
    await socket.closed()
  }
  // What fits is not more than a hundred of them, and they do no harm.
  const many = Array.from({ length: 300 }, (_, at) => `X-${at}: y`)
  const socket = await ask(
    t,
    fixture,
    [`GET /edge/auth/${app.id}/google HTTP/1.1`, 'Host: localhost', 'Connection: close', ...many, '', ''].join('\r\n'),
  )
  const [status = 0] = await answered(socket)
  assert.ok(status < 500 && status > 0, `${status}`)
  await stillWell(fixture)
  figure(t, `F23: ${Object.keys(floods).length} floods of headers refused with 431`)
})
