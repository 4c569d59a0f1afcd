import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))

test('the unread body of a rejected request is not parsed as the next request (request smuggling)', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const { key, id } = await agent.createTenant()
  const smuggled = `DELETE /api/resources/social-login HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  for (const path of [
    '/api/resources',
    '/api/status',
    '/api/nothing',
    `/edge/auth/${id}/google`,
    '/nothing',
  ]) {
    const { head, body } = await rawHttp(
      baseUrl,
      [
        `POST ${path} HTTP/1.1`,
        'Host: localhost',
        'Content-Type: text/plain',
        `Content-Length: ${smuggled.length}`,
      ],
      smuggled + next,
    )
    const [first = 0, second, ...more] = statuses(`${head}\r\n\r\n${body}`)
    assert.ok(first >= 400 && first < 500, `${path} ${first}`)
    assert.deepEqual([second, more], [200, []], path)
  }
  const { json } = await agent.call('GET', '/api/resources', { key })
  assert.equal(json.resources.length, 1)
})

test('a request with ambiguous framing is rejected with 400 (request smuggling)', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  await agent.createTenant()
  const post = ['POST /api/genesis HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  for (const [lines, body] of [
    [[...post, 'Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    [[...post, 'Content-Length: 4', 'Content-Length: 5'], '{}  '],
    [[...post, 'Content-Length: +2'], '{}'],
    [[...post, 'Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    [[...post, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    [[...post, 'Content-Length : 2'], '{}'],
    [['POST /api/genesis HTTP/1.1', 'Content-Length: 0'], ''],
  ] as const) {
    const { status } = await rawHttp(baseUrl, lines, body)
    assert.equal(status, 400, lines.join(' | '))
  }
})

test('/healthz and /readyz answer HTTP/1.0 without a Host header, as haproxy sends it; other paths are 400', async (t) => {
  const { baseUrl } = await world(t, { through: 'port', realTime: true })
  for (const path of ['/healthz', '/readyz']) {
    const { status, body } = await rawHttp(baseUrl, [`GET ${path} HTTP/1.0`])
    assert.deepEqual([path, status], [path, 200], body)
    assert.equal((await rawHttp(baseUrl, [`HEAD ${path} HTTP/1.0`])).status, 200)
    assert.equal(
      (await rawHttp(baseUrl, [`GET ${path} HTTP/1.1`])).status,
      400,
      'HTTP/1.1 requires Host',
    )
  }
  assert.equal((await rawHttp(baseUrl, ['GET /api/status HTTP/1.0'])).status, 400)
})
