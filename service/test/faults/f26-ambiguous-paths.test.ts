import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure } from '../support/faults/figures.ts'
import { createFixture } from '../support/faults/fixture.ts'
import { rawHttp } from '../support/transport/raw-http.ts'

// Bodies and lengths that can be read in two ways are in service/test/http/connections.test.ts; these are addresses and
// lines.
test('F26: an address or a line that a proxy could read differently gets one refusal, and reaches nothing', async (t) => {
  const { cluster, app } = await createFixture(t, 'sqlite')
  const { baseUrl } = cluster.first.agent
  const key = `Authorization: Bearer ${app.key}`
  const close = 'Connection: close'
  const host = 'Host: localhost'
  // Each has the key: one that reached its address would show the tenant.
  const probes: [string, readonly string[], string?][] = [
    ['bare line feeds', [`GET /api/status HTTP/1.1\nHost: localhost\n${key}\nConnection: close\n`]],
    ['a folded header', ['GET /api/status HTTP/1.1', host, 'X-One: 1', ` ${key}`, close]],
    ['a space before the colon', ['GET /api/status HTTP/1.1', host, `Authorization : Bearer ${app.key}`, close]],
    ['two slashes', ['GET //api/status HTTP/1.1', host, key, close]],
    ['a slash in the middle', ['GET /api//status HTTP/1.1', host, key, close]],
    ['an encoded slash', ['GET /api%2fstatus HTTP/1.1', host, key, close]],
    ['a step up', ['GET /nothing/../api/status HTTP/1.1', host, key, close]],
    ['an encoded step up', ['GET /nothing/%2e%2e/api/status HTTP/1.1', host, key, close]],
    ['an encoded slash in the tenant', [`GET /edge/auth/${app.id}%2fgoogle HTTP/1.1`, host, close]],
    ['an encoded step in the tenant', [`GET /edge/auth/x%2f..%2f${app.id}/google HTTP/1.1`, host, close]],
    ['a null in the address', ['GET /api/status%00 HTTP/1.1', host, key, close]],
    ['two hosts', ['GET /api/status HTTP/1.1', host, 'Host: evil.example', key, close]],
    ['no host', ['GET /api/status HTTP/1.1', key, close]],
    ['an unknown version', ['GET /api/status HTTP/3.7', host, key, close]],
    ['a method that nobody knows', ['BREW /api/status HTTP/1.1', host, key, close]],
    [
      'a second request in the length of the first',
      ['GET /healthz HTTP/1.1', host, 'Transfer-Encoding: chunked', 'Content-Length: 6', close],
      `0\r\n\r\nGET /api/status HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`,
    ],
  ]
  for (const [name, lines, body = ''] of probes) {
    const { status, head, body: said } = await rawHttp(baseUrl, lines, body)
    const responses = [...`${head}\r\n\r\n${said}`.matchAll(/HTTP\/1\.1 \d{3}/g)].length
    assert.equal(responses, 1, `${name}: ${responses} answers`)
    assert.ok(status >= 400 && status < 500, `${name}: ${status}`)
    assert.equal(said.includes(app.id), false, `${name}: it reached the tenant`)
  }
  // RFC 9112, section 3.2.2: a server accepts an address with its host in it. Which host that is changes nothing.
  const absolute = await rawHttp(baseUrl, ['GET http://evil.example/api/status HTTP/1.1', host, key, close])
  assert.equal(absolute.status, 200)
  assert.equal((absolute.head + absolute.body).includes('evil.example'), false)
  assert.deepEqual(await app.events(), [])
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
  figure(t, `F26: ${probes.length} probes, ${probes.length} single refusals`)
})
