import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { rawHttp } from '../support/transport/raw-http.ts'

// Ambiguous bodies and lengths are tested in service/test/http/connections.test.ts.
test('F26: a path or request line that a proxy could parse differently gets one 4xx and reaches no route', async (t) => {
  const { cluster, app } = await createFixture(t, 'sqlite')
  const { baseUrl } = cluster.first.agent
  const key = `Authorization: Bearer ${app.key}`
  const close = 'Connection: close'
  const host = 'Host: localhost'
  // Each has the key: a request that reached its route would return the tenant.
  const probes: [string, readonly string[], string?][] = [
    ['bare line feeds', [`GET /api/status HTTP/1.1\nHost: localhost\n${key}\nConnection: close\n`]],
    ['a folded header', ['GET /api/status HTTP/1.1', host, 'X-One: 1', ` ${key}`, close]],
    [
      'a space before the colon',
      ['GET /api/status HTTP/1.1', host, `Authorization : Bearer ${app.key}`, close],
    ],
    ['a double slash at the start', ['GET //api/status HTTP/1.1', host, key, close]],
    ['a double slash inside', ['GET /api//status HTTP/1.1', host, key, close]],
    ['an encoded slash', ['GET /api%2fstatus HTTP/1.1', host, key, close]],
    ['a dot segment', ['GET /nothing/../api/status HTTP/1.1', host, key, close]],
    ['an encoded dot segment', ['GET /nothing/%2e%2e/api/status HTTP/1.1', host, key, close]],
    ['an encoded slash in the tenant', [`GET /edge/auth/${app.id}%2fgoogle HTTP/1.1`, host, close]],
    [
      'an encoded dot segment in the tenant',
      [`GET /edge/auth/x%2f..%2f${app.id}/google HTTP/1.1`, host, close],
    ],
    ['a NUL in the path', ['GET /api/status%00 HTTP/1.1', host, key, close]],
    ['two Host headers', ['GET /api/status HTTP/1.1', host, 'Host: evil.example', key, close]],
    ['no Host header', ['GET /api/status HTTP/1.1', key, close]],
    ['an unknown version', ['GET /api/status HTTP/3.7', host, key, close]],
    ['an unknown method', ['BREW /api/status HTTP/1.1', host, key, close]],
    [
      'a request smuggled in the body',
      ['GET /healthz HTTP/1.1', host, 'Transfer-Encoding: chunked', 'Content-Length: 6', close],
      `0\r\n\r\nGET /api/status HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`,
    ],
  ]
  for (const [name, lines, body = ''] of probes) {
    const { status, head, body: text } = await rawHttp(baseUrl, lines, body)
    const responses = [...`${head}\r\n\r\n${text}`.matchAll(/HTTP\/1\.1 \d{3}/g)].length
    assert.equal(responses, 1, `${name}: ${responses} responses`)
    assert.ok(status >= 400 && status < 500, `${name}: ${status}`)
    assert.equal(text.includes(app.id), false, `${name}: the request reached the tenant`)
  }
  // RFC 9112, section 3.2.2: a server must accept the absolute form. Its host is ignored.
  const absolute = await rawHttp(baseUrl, [
    'GET http://evil.example/api/status HTTP/1.1',
    host,
    key,
    close,
  ])
  assert.equal(absolute.status, 200)
  assert.equal((absolute.head + absolute.body).includes('evil.example'), false)
  assert.deepEqual(await app.events(), [])
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
  figure(t, `F26: ${probes.length} probes, ${probes.length} single 4xx responses`)
})
