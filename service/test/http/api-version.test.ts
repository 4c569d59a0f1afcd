import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

const JSON_REQUESTS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/status'],
  ['GET', '/edge/session'],
  ['GET', '/account/insights/data'],
  ['POST', '/oauth/register'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/oauth/authorize'],
  ['PUT', '/oauth/token'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/openapi.json'],
  ['GET', '/mcp/manage'],
  ['POST', '/mcp/manage'],
]

// proves C175
test('every JSON response names the API version, also of OAuth, its metadata, the OpenAPI document and the retired endpoint', async (t) => {
  const { agent } = await world(t)
  for (const [method, path] of JSON_REQUESTS) {
    const { status, headers } = await agent.call(method, path)
    assert.match(headers.get('content-type') ?? '', /json/, `${method} ${path}: ${status}`)
    assert.equal(headers.get('api-version'), '1', `${method} ${path}: ${status}`)
  }
})
