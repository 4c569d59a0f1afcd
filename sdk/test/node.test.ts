import assert from 'node:assert/strict'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listen } from '../../service/test/support/transport/listen.ts'
import { gatehouse as fastify } from '../src/fastify.ts'
import { TenantPausedError, UnavailableError } from '../src/index.ts'
import {
  appendCookies,
  gatehouse,
  type NodeRequest,
  nodeHandler,
  nodeSession,
  toRequest,
} from '../src/node.ts'
import { applySetCookies, createFixture, tokenCookies } from './support/fixture.ts'
import { createScriptedClient } from './support/scripted-client.ts'

test('nodeSession reads the session of a node:http request and sets its cookies', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const { port } = await listen(t, async (req, res) => {
    appendCookies(res, ['mine=1; Path=/'])
    const { user } = await nodeSession(client, req, res)
    res.end(user?.email ?? 'signed out')
  })
  const tokens = await signIn()
  expireAccessTokens()
  const cookie = Object.entries(tokenCookies(tokens, tenant.id)).map((pair) => pair.join('='))
  const response = await fetch(`http://localhost:${port}/`, {
    headers: { Cookie: cookie.join('; ') },
  })
  assert.equal(await response.text(), 'ada@example.com')
  assert.deepEqual(Object.keys(applySetCookies(response.headers.getSetCookie())), [
    'mine',
    ...Object.keys(tokenCookies(tokens, tenant.id)),
  ])
  assert.doesNotMatch(response.headers.getSetCookie().join(), /Secure/, 'on localhost')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('a page whose session was refreshed is in no cache, also if the app makes it public later', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const makePublic = { 'Cache-Control': 'public, max-age=31536000' }
  const app = gatehouse({ client }, (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/set') {
      return res.setHeader('Cache-Control', makePublic['Cache-Control']).end()
    }
    return res
      .writeHead(
        200,
        req.url === '/private' ? { 'cache-control': 'private, max-age=60' } : makePublic,
      )
      .end()
  })
  const byHand = async (req: IncomingMessage, res: ServerResponse): Promise<unknown> => {
    await nodeSession(client, req, res)
    return res.writeHead(200, makePublic).end()
  }
  const { port } = await listen(
    t,
    (req, res) => void (req.url === '/hand' ? byHand(req, res) : app(req, res)),
  )
  const headersOf = async (path: string, cookies: Record<string, string>): Promise<unknown> => {
    const cookie = Object.entries(cookies).map((pair) => pair.join('='))
    const { headers } = await fetch(`http://localhost:${port}${path}`, {
      headers: { Cookie: cookie.join('; ') },
    })
    return [headers.get('cache-control'), headers.getSetCookie().length]
  }
  const cookies = tokenCookies(await signIn(), tenant.id)
  assert.deepEqual(
    await headersOf('/set', cookies),
    ['public, max-age=31536000', 0],
    'nothing was refreshed',
  )
  expireAccessTokens()
  for (const path of ['/set', '/head', '/hand']) {
    assert.deepEqual(await headersOf(path, cookies), ['no-store', 2], path)
  }
  assert.deepEqual(await headersOf('/private', cookies), ['private, max-age=60', 2])
})

test('Fastify: a page whose session was refreshed is in no cache, also if the app makes it public later', async (t) => {
  const { client, signIn, expireAccessTokens } = await createFixture(t)
  type Hook = (request: object, reply: object) => Promise<unknown>
  const hooks = new Map<string, Hook>()
  await fastify({ client })({
    addHook: (name: string, hook: Hook) => hooks.set(name, hook),
    register: async () => {},
  })
  const cookies = Object.entries(tokenCookies(await signIn())).map((pair) => pair.join('='))
  const headersOf = async (): Promise<unknown> => {
    const request = {
      raw: { url: '/', headers: { host: 'app.example', cookie: cookies.join('; ') } },
    }
    const headers = new Headers()
    const reply = {
      hasHeader: (name: string) => headers.has(name),
      getHeader: (name: string) => headers.get(name) ?? undefined,
      header: (name: string, value: string) =>
        name === 'Set-Cookie' ? headers.append(name, value) : headers.set(name, value),
    }
    await hooks.get('onRequest')?.(request, reply)
    headers.set('Cache-Control', 'public, max-age=60')
    await hooks.get('onSend')?.(request, reply)
    return [headers.get('cache-control'), headers.getSetCookie().length]
  }
  assert.deepEqual(await headersOf(), ['public, max-age=60', 0], 'nothing was refreshed')
  expireAccessTokens()
  assert.deepEqual(await headersOf(), ['no-store', 2])
})

test('nodeHandler writes status, headers and every Set-Cookie of a web-standard response', async (t) => {
  const handler = nodeHandler(({ method, url, headers }) => {
    const response = new Response(`${method} ${url} ${headers.get('x-mine')}`, {
      status: 418,
      headers: { 'X-Yours': '2' },
    })
    response.headers.append('Set-Cookie', 'a=1; Path=/')
    response.headers.append('Set-Cookie', 'b=2; Path=/')
    return response
  })
  const { port } = await listen(t, (req, res) => void handler(req, res))
  const response = await fetch(`http://localhost:${port}/x/?y=%20`, { headers: { 'X-Mine': '1' } })
  assert.equal(response.status, 418)
  assert.equal(await response.text(), `GET http://localhost:${port}/x/?y=%20 1`)
  assert.equal(response.headers.get('x-yours'), '2')
  assert.deepEqual(response.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/'])
})

/** What the app writes to its log during a test. */
function logOf(t: TestContext): unknown[] {
  const lines: unknown[] = []
  t.mock.method(console, 'error', (line: unknown) => lines.push(line))
  return lines
}

test("an error of the app's own listener is in its log, and its response has no details", async (t) => {
  const log = logOf(t)
  const errors: unknown[] = []
  const bug = new Error('svc_rt_secret')
  const outage = new UnavailableError('Unavailable.', { reason: 'network' })
  const refused = new TenantPausedError('Paused.')
  const thrown = new Map<unknown, Error>([
    ['/bug', bug],
    ['/outage', outage],
    ['/refused', refused],
  ])
  const { client } = createScriptedClient([])
  for (const onError of [undefined, (error: unknown) => errors.push(error)]) {
    const app = gatehouse({ client, ...(onError && { onError }) }, ({ url }: NodeRequest) => {
      throw thrown.get(url)
    })
    const { port } = await listen(t, (req, res) => void app(req, res))
    for (const [path, status] of [
      ['/bug', 500],
      ['/outage', 503],
      ['/refused', 500],
    ] as const) {
      const response = await fetch(`http://localhost:${port}${path}`)
      assert.deepEqual(
        [response.status, await response.text()],
        [status, 'Something went wrong. Please try again.'],
      )
    }
    assert.deepEqual(log.splice(0), onError ? [bug] : [bug, refused], 'an outage ends by itself')
    assert.deepEqual(errors, onError ? [outage, refused] : [])
  }
})

test('nodeHandler passes errors to next, or logs them and responds without the error message', async (t) => {
  const log = logOf(t)
  const failing = (error: Error) => nodeHandler(() => Promise.reject(error))
  const secret = new Error('svc_rt_secret')
  const { port } = await listen(t, (req, res) => {
    const handler = failing(
      req.url === '/down' ? new UnavailableError('Unavailable.', { reason: 'network' }) : secret,
    )
    if (req.url === '/next') {
      void handler(req, res, (error) => void res.end(String(error === secret)))
    } else {
      void handler(req, res)
    }
  })
  const at = async (path: string) => {
    const response = await fetch(`http://localhost:${port}${path}`)
    return [response.status, await response.text()]
  }
  assert.deepEqual(await at('/down'), [503, 'Something went wrong. Please try again.'])
  assert.deepEqual(await at('/broken'), [500, 'Something went wrong. Please try again.'])
  assert.deepEqual(await at('/next'), [200, 'true'])
  assert.deepEqual(log, [secret], 'next has its own log')
})

test('toRequest: no request target or Host header produces a URL of another host or throws', async (t) => {
  const { port } = await listen(t, (req, res) => void res.end(toRequest(req).url))
  const urlFor = (path: string, host = 'app.example:8080'): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = request({ port, path, headers: { Host: host } }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => resolve(text))
      })
      call.on('error', reject).end()
    })
  assert.equal(await urlFor('/a?b'), 'http://app.example:8080/a?b')
  assert.equal(await urlFor('//evil.example/a'), 'http://app.example:8080//evil.example/a')
  assert.equal(await urlFor('http://evil.example/a?b'), 'http://app.example:8080/a?b')
  assert.equal(await urlFor('/a', 'evil.example/x?'), 'http://host.invalid/a')
  assert.equal(await urlFor('/a', 'user@evil.example'), 'http://host.invalid/a')
  assert.equal(await urlFor('*'), 'http://app.example:8080/')

  const express = {
    headers: { host: 'x.example' },
    url: '/callback?a',
    originalUrl: '/auth/callback?a',
    socket: { encrypted: true },
  }
  assert.equal(toRequest(express).url, 'https://x.example/auth/callback?a')
  const http2 = {
    headers: { ':authority': 'x.example', ':path': '/', cookie: ['a=1', 'b=2'] },
    url: '/',
  }
  assert.deepEqual(
    [toRequest(http2).url, toRequest(http2).headers.get('cookie')],
    ['http://x.example/', 'a=1; b=2'],
  )
})

test('a listener that a framework mounts guards the paths below its mount as well', async (t) => {
  const { client } = createScriptedClient([])
  const listener = gatehouse({ client, protect: ['/notes'] }, (_req, res) => res.end('the notes'))
  const { port } = await listen(t, (req, res) => {
    // As Express and Connect do for `app.use('/app', listener)`.
    const { url = '/' } = req
    Object.assign(req, { originalUrl: url, url: url.slice('/app'.length) })
    return listener(req, res)
  })
  const open = async (path: string): Promise<number> => {
    const headers = { Accept: 'application/json' }
    return (await fetch(`http://localhost:${port}/app${path}`, { headers })).status
  }
  assert.equal(await open('/notes/7?x=1'), 401)
  assert.equal(await open('/other'), 200)
})
