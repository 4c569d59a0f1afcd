import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '@gatehouse-auth/contract'
import { world } from '../support/world.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

const PUBLIC = {
  BASE_URL: 'https://login.example.com',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
}

// proves C088
test('the authorization server metadata uses base_url and lists only supported features', async (t) => {
  const { agent, baseUrl } = await world(t)
  const response = await agent.call('GET', SERVER)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(response.json, {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: false,
    service_documentation: `${baseUrl}/docs`,
  })
})

// proves C087
test('the protected resource metadata is the same at both well-known paths', async (t) => {
  const { agent, baseUrl } = await world(t)
  const document = (await agent.call('GET', `${RESOURCE}/mcp`)).json
  assert.deepEqual(document, {
    resource: `${baseUrl}/mcp`,
    authorization_servers: [baseUrl],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: 'Gatehouse',
    resource_documentation: `${baseUrl}/docs`,
  })
  assert.deepEqual((await agent.call('GET', RESOURCE)).json, document)
})

test('on a public https base URL the metadata announces client ID metadata documents', async (t) => {
  const { agent } = await world(t, { env: PUBLIC })
  const { json } = await agent.call('GET', SERVER)
  assert.equal(json.issuer, 'https://login.example.com')
  assert.equal(json.client_id_metadata_document_supported, true)
  assert.equal((await agent.call('GET', RESOURCE)).json.resource, 'https://login.example.com/mcp')
})

test('other well-known paths that clients try are a JSON 404', async (t) => {
  const { agent } = await world(t)
  for (const path of [
    `${SERVER}/mcp`,
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/oauth-protected-resource',
    '/mcp/.well-known/oauth-authorization-server',
    '/mcp/.well-known/openid-configuration',
    `${RESOURCE}/other`,
  ]) {
    const response = await agent.call('GET', path, { headers: { Accept: 'text/html' } })
    assert.equal(response.status, 404, path)
    assert.equal(response.json?.error.code, 'unknownRoute', path)
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path)
  }
})

test('any origin can read the metadata and call register, token and revoke without credentials', async (t) => {
  const { agent } = await world(t)
  const origin = { Origin: 'https://inspector.example' }
  for (const [method, paths] of [
    ['GET', [SERVER, RESOURCE, `${RESOURCE}/mcp`]],
    ['POST', ['/oauth/register', '/oauth/token', '/oauth/revoke', '/register', '/token']],
  ] as const) {
    for (const path of paths) {
      const preflight = await agent.call('OPTIONS', path, {
        headers: {
          ...origin,
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'content-type, mcp-protocol-version',
        },
      })
      assert.equal(preflight.status, 204, path)
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      assert.ok(preflight.headers.get('access-control-allow-methods')?.includes(method))
      for (const header of [
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
      ]) {
        assert.ok(preflight.headers.get('access-control-allow-headers')?.includes(header), header)
      }
      const response = await agent.call(method, path, { headers: origin })
      assert.equal(response.headers.get('access-control-allow-origin'), '*', path)
      assert.equal(response.headers.get('access-control-allow-credentials'), null)
      assert.match(
        response.headers.get('access-control-expose-headers') ?? '',
        /WWW-Authenticate.*Retry-After/,
      )
    }
  }
})

test('the authorization endpoint sends no CORS headers', async (t) => {
  const { agent } = await world(t)
  const response = await agent.call('GET', '/oauth/authorize', {
    headers: { Origin: 'https://evil.example' },
  })
  assert.equal(response.headers.get('access-control-allow-origin'), null)
})

test('a wrong method is a 405 with the Allow header', async (t) => {
  const { agent } = await world(t)
  for (const [method, path, allow] of [
    ['GET', '/oauth/token', 'POST, OPTIONS'],
    ['GET', '/oauth/register', 'POST, OPTIONS'],
    ['DELETE', '/oauth/revoke', 'POST, OPTIONS'],
    ['POST', SERVER, 'GET, HEAD, OPTIONS'],
    ['POST', '/oauth/authorize', 'GET'],
  ] as const) {
    const response = await agent.call(method, path)
    assert.equal(response.status, 405, path)
    assert.equal(response.json.error, 'invalid_request')
    assert.equal(response.headers.get('allow'), allow)
  }
})
