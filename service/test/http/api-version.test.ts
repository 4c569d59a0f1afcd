import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

/** Addresses that the OpenAPI document does not have: pages, aliases, and paths that do not exist. */
const OTHERS: readonly string[] = [
  '/account',
  '/account/nothing',
  '/account/insights/data',
  '/oauth/nothing',
  '/oauth/authorize',
  '/oauth/consent/x',
  '/authorize',
  '/register',
  '/token',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-nothing',
  '/openapi.json',
  '/openapi.json?tags=nothing',
  '/mcp/manage',
  '/api',
  '/api/nothing',
  '/edge/nothing',
]

const WITH_VERSION =
  /^\/(api|edge|account|oauth|authorize|register|token|openapi\.json|mcp\/manage|\.well-known\/oauth-[\w-]+)([/?]|$)/

/** To each path: one that may succeed, one with a broken body, and one with a method that few have. */
const REQUESTS = [
  { method: 'GET', headers: {} },
  { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"broken' },
  { method: 'PUT', headers: {} },
] as const

// proves C175
test('every JSON response names the API version, also of OAuth, its metadata, the OpenAPI document and the retired endpoint', async (t) => {
  const { agent } = await world(t)
  const { json: document } = await agent.call('GET', '/openapi.json')
  const documented = Object.keys(document.paths).map((path) =>
    path.replaceAll(/\{\w+\}/g, 'swift-fox-running-k3qd'),
  )
  const paths = [...documented, ...OTHERS].filter((path) => WITH_VERSION.test(path))
  assert.ok(paths.length > 60, `${paths.length} paths`)

  const statuses = new Set<number>()
  const requests = paths.flatMap((path) => REQUESTS.map((each) => ({ path, ...each })))
  for (const { method, path, ...sent } of requests) {
    const { status, headers } = await agent.call(method, path, sent)
    if (/json/.test(headers.get('content-type') ?? '')) {
      statuses.add(status)
      assert.equal(headers.get('api-version'), '1', `${method} ${path}: ${status}`)
    }
  }
  for (const status of [200, 400, 401, 404, 405, 410]) {
    assert.ok(statuses.has(status), `${status} was among them`)
  }
})
