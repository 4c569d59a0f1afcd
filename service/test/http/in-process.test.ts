import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { TRUST_LOCAL_PROXY } from '../support/process/service-process.ts'
import { world } from '../support/world.ts'

test('the in-process service signs users in without a listening socket, development Google included', async (t) => {
  const here = await world(t, { through: 'fetch' })
  assert.equal(here.app.server.listening, false)
  const tenant = await here.agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(here.browser())
  assert.equal(await tenant.isValid(access_token), true)
  await tenant.refresh(refresh_token)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  // The development Google responds in process too: a picture with its type, and 404 for an unknown path.
  const portrait = await here.app.fetch(new Request(`${here.baseUrl}/dev/google/people/ada.svg`))
  assert.deepEqual([portrait.status, portrait.headers.get('content-type')], [200, 'image/svg+xml'])
  const nothing = await here.app.fetch(new Request(`${here.baseUrl}/dev/google/nothing-here`))
  assert.equal(nothing.status, 404)
})

test('in-process calls share one rate limit, whatever X-Forwarded-For says', async (t) => {
  const here = await world(t, { through: 'fetch', env: TRUST_LOCAL_PROXY })
  const create = (address: string) =>
    here.agent.call('POST', '/api/genesis', { headers: { 'X-Forwarded-For': address } })
  for (let i = 0; i < 10; i++) {
    assert.equal((await create(`10.0.0.${i}`)).status, 201)
  }
  assertApiError(await create('10.0.0.10'), 'rateLimited')
})

test('in-process calls get 404 from /metrics', async (t) => {
  const here = await world(t, { through: 'fetch' })
  assert.equal((await here.agent.call('GET', '/metrics')).status, 404)
})

test('the host of an in-process call is the host of its URL', async (t) => {
  const here = await world(t, { through: 'fetch' })
  const list = (url: string): Promise<Response> =>
    here.app.fetch(
      new Request(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      }),
    )
  assert.notEqual((await list(`${here.baseUrl}/mcp`)).status, 403)
  assert.equal((await list('http://evil.example/mcp')).status, 403)
})

test('a health check has the same response and log record in process and over HTTP, and another method is 405', async (t) => {
  for (const through of ['fetch', 'memory'] as const) {
    const { agent, logLines } = await world(t, { through })
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const before = logLines.length
      const { status: code, json, headers } = await agent.call('GET', path)
      assert.deepEqual(
        [code, json, headers.get('cache-control')],
        [200, { status }, 'no-store'],
        `${through} ${path}`,
      )
      const logged = logLines.slice(before).map((line) => JSON.parse(line))
      assert.deepEqual(
        logged.map((line) => [line.method, line.route, line.status, line.request_id]),
        [['GET', path, 200, headers.get('x-request-id')]],
      )
      assert.equal((await agent.call('POST', path)).status, 405, `${through} ${path}`)
    }
  }
})
