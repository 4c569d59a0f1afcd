import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

const HOST = { Host: 'evil.example' }

/** One of each kind: health check, fast path, API, page, MCP, OAuth, a file and the development Google. */
const PATHS = [
  ['GET', '/healthz'],
  ['POST', '/edge/auth/swift-fox-running-k3qd/verify'],
  ['POST', '/api/genesis'],
  ['GET', '/account'],
  ['POST', '/mcp'],
  ['GET', '/oauth/authorize'],
  ['GET', '/assets/nothing.css'],
  ['GET', '/dev/google/.well-known/openid-configuration'],
] as const

test('a development service refuses every route to a Host of another site (DNS rebinding), and a public one none', async (t) => {
  const { agent, baseUrl } = await world(t)
  for (const [method, path] of PATHS) {
    const response = await agent.call(method, path, { headers: HOST })
    assert.equal(response.status, 403, path)
    assert.ok(response.text.endsWith(`Open ${baseUrl} instead.\n`), response.text)
  }

  const env = {
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 's',
  }
  const there = await world(t, { env })
  for (const [method, path] of PATHS) {
    const response = await there.agent.call(method, path, { headers: HOST })
    assert.doesNotMatch(response.text, /development service/, path)
  }
})

test('a foreign Host is refused where the service runs without a socket, too', async (t) => {
  const { app } = await world(t)
  const response = await app.fetch(new Request('http://evil.example/account'))
  assert.equal(response.status, 403)
})
