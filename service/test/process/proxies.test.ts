import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '../support/process/wait-until.ts'
import { haproxy } from '../support/proxies/haproxy.ts'
import { nginx } from '../support/proxies/nginx.ts'
import { findProxy, published } from '../support/proxies/proxy.ts'
import {
  keepAliveConnections,
  type ProxiedRequest,
  throughProxy,
} from '../support/proxies/through-proxy.ts'
import { listen } from '../support/transport/listen.ts'

for (const [name, start, file, idleSeconds] of [
  ['nginx', nginx, 'nginx.conf', /keepalive_timeout (\d+)s \d+s;/],
  ['haproxy', haproxy, 'haproxy.cfg', /timeout http-keep-alive (\d+)s/],
] as const) {
  test(`the published configuration of ${name} appends the client to X-Forwarded-For, keeps Host, hides /metrics, and logs neither queries nor claim links`, async (t) => {
    const program = await findProxy(name)
    if (typeof program === 'string') {
      return t.skip(program)
    }
    const received: string[] = []
    const { port } = await listen(t, ({ url, headers }, res) => {
      if (url !== '/readyz') {
        received.push(`${url} ${headers.host} ${headers['x-forwarded-for']}`)
      }
      res.end()
    })
    const proxy = await start(program)(t, [port, port])
    await proxy.inService(port)
    const connections = keepAliveConnections()
    t.after(() => connections.destroy())
    const send = (request: ProxiedRequest) => throughProxy(proxy.port, request, connections)

    const forged = { 'X-Forwarded-For': '203.0.113.7' }
    assert.equal(
      (await send({ method: 'GET', path: '/callback?access_token=secret', headers: forged }))
        .status,
      200,
    )
    assert.equal((await send({ method: 'GET', path: '/c/claim-secret' })).status, 200)
    assert.equal(
      (await send({ method: 'POST', path: '/api/genesis', body: 'x'.repeat(300 * 1_024) })).status,
      200,
    )
    assert.equal((await send({ method: 'GET', path: '/metrics' })).status, 404)
    assert.deepEqual(received, [
      '/callback?access_token=secret login.example.com 203.0.113.7, 127.0.0.1',
      '/c/claim-secret login.example.com 127.0.0.1',
      '/api/genesis login.example.com 127.0.0.1',
    ])
    await waitUntil('the last request is logged', () => proxy.accessLog().includes('/metrics'))
    const log = proxy.accessLog()
    for (const path of ['GET /callback 200', 'GET /c/ 200', 'POST /api/genesis 200']) {
      assert.ok(log.includes(path), log)
    }
    assert.doesNotMatch(log, /secret/)
  })

  test(`the published configuration of ${name} sends a GET again if a kept connection breaks before the response, and never a POST`, async (t) => {
    const program = await findProxy(name)
    if (typeof program === 'string') {
      return t.skip(program)
    }
    const received: string[] = []
    const { port } = await listen(t, ({ method, url, socket }, res) => {
      if (url === '/readyz' || url === '/') {
        return void res.end()
      }
      received.push(`${method} ${url}`)
      // As a process that is killed: the connection breaks, and the response is lost.
      if (received.length % 2 === 1) {
        socket.destroy()
      } else {
        res.end()
      }
    })
    const proxy = await start(program)(t, [port, port])
    await proxy.inService(port)
    const connections = keepAliveConnections()
    t.after(() => connections.destroy())
    const send = (request: ProxiedRequest) => throughProxy(proxy.port, request, connections)
    /** The proxy has a connection to the instance, and the client one to the proxy. */
    const keepConnections = () => send({ method: 'GET', path: '/' })

    await keepConnections()
    assert.equal((await send({ method: 'GET', path: '/api/status' })).status, 200)
    assert.deepEqual(received.splice(0), ['GET /api/status', 'GET /api/status'])
    await keepConnections()
    const lost = await send({ method: 'POST', path: '/api/genesis', body: '{}' }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    )
    assert.ok(lost === 502 || lost === 'ECONNRESET', String(lost))
    assert.deepEqual(received, ['POST /api/genesis'])
  })

  test(`the published configuration of ${name} tells clients to drop an idle connection at least five seconds before it closes it`, async (t) => {
    const program = await findProxy(name)
    if (typeof program === 'string') {
      return t.skip(program)
    }
    const { port } = await listen(t, (_, res) => void res.end())
    const proxy = await start(program)(t, [port, port])
    await proxy.inService(port)
    const connections = keepAliveConnections()
    t.after(() => connections.destroy())

    const { headers } = await throughProxy(proxy.port, { method: 'GET', path: '/' }, connections)
    const told = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1]
    const kept = idleSeconds.exec(published(file, {}))?.[1]
    assert.ok(
      Number(told) > 30 && Number(told) + 5 <= Number(kept),
      `told ${told} s, kept ${kept} s`,
    )
  })
}
