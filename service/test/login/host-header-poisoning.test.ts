import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENDPOINTS } from '@gatehouse-auth/contract'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import type { ApiResponse, CallOptions } from '../support/actors/agent.ts'
import type { Page } from '../support/actors/browser.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import {
  acceptAnyUser,
  CLIENT_ID,
  providerCallback,
  scriptedProvider,
} from '../support/faults/scripted-provider.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { type World, world } from '../support/world.ts'

const FORGED_HEADERS = {
  Host: 'evil.test',
  'X-Forwarded-Host': 'evil.test',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '444',
  'X-Original-Host': 'evil.test',
  Forwarded: 'host=evil.test;proto=https',
  'X-Original-URL': 'http://evil.test/',
}

/** A service that is not for development, which would refuse such a Host. */
async function publicService(t: TestContext): Promise<World> {
  const provider = await scriptedProvider(t)
  acceptAnyUser(provider)
  const env = {
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: provider.issuer,
  }
  return world(t, { env })
}

/** The responses contain neither the forged host nor its port (the real port may start with the same digits). */
function assertForgedHostAbsent(responses: readonly (ApiResponse | Page)[]): void {
  for (const { status, headers, text } of responses) {
    assert.ok(status < 500, `${status} ${text}`)
    const whole = JSON.stringify([...headers]) + text
    assert.doesNotMatch(whole, /evil\.test|:444(?!\d)/)
  }
}

test('no API response or page contains a host from Host or X-Forwarded headers', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl, clock } = await publicService(t)
  const created = await agent.call('POST', '/api/genesis', { headers: FORGED_HEADERS })
  assert.equal(created.json.base_url, baseUrl)
  const key = created.json.coh_management_key
  const tenantId = created.json.tenant_id
  const body = { callback_url: 'https://app.example.com/callback' }
  const responses = [
    created,
    await agent.call('POST', '/api/genesis', {
      headers: { ...FORGED_HEADERS, Accept: 'text/plain' },
    }),
    await agent.call('POST', '/api/resources/social-login', {
      key,
      body,
      headers: FORGED_HEADERS,
    }),
  ]
  const userBrowser = browser(FORGED_HEADERS)
  const authorize = await userBrowser.open(`${baseUrl}/edge/auth/${tenantId}/google`)
  await userBrowser.open(providerCallback(authorize, 'ada@example.com'))
  assert.equal(userBrowser.page.url.origin, baseUrl)
  responses.push({ ...userBrowser.page, json: undefined })
  const callbackUrl = await userBrowser.press('Continue')
  assert.equal(callbackUrl.origin, 'https://app.example.com')

  clock.advance({ minutes: 1 })
  // A service that is not for development has no endpoints for tests.
  const endpoints = ENDPOINTS.filter(
    ({ method, path }) => method !== 'DELETE' && !path.includes('/test-'),
  )
  for (const endpoint of endpoints) {
    for (const Accept of ['application/json', 'text/html']) {
      const query = endpoint.id === 'listUsers' || endpoint.id === 'listEvents' ? '?limit=1' : ''
      const path = pathOf(endpoint, { tenantId }) + query
      responses.push(
        await agent.call(endpoint.method, path, { key, headers: { ...FORGED_HEADERS, Accept } }),
      )
    }
  }
  for (const path of [
    '/',
    '/docs/errors',
    '/nothing',
    '/api/nothing',
    '/auth/consent/x',
    '/auth/google/callback',
  ]) {
    for (const Accept of ['text/html', '*/*']) {
      responses.push(await agent.call('GET', path, { headers: { ...FORGED_HEADERS, Accept } }))
    }
  }
  assertForgedHostAbsent(responses)
  assert.ok(
    responses.some(({ headers }) =>
      headers.get('link')?.startsWith(`<${baseUrl}/api/social-login/`),
    ),
  )
})

// proves RFC 9700 4.13
test('no document, challenge, link or redirect is built from Host or X-Forwarded headers', {
  skip: slow,
}, async (t) => {
  const service = await publicService(t)
  const { agent, baseUrl } = service
  const tenant = await agent.createTenant()
  const callForged = (method: string, path: string, options: CallOptions = {}) =>
    agent.call(method, path, { ...options, headers: { ...FORGED_HEADERS, ...options.headers } })

  const documents = [
    '/openapi.json',
    '/llms.txt',
    '/llms-full.txt',
    '/auth.md',
    '/sitemap.xml',
    '/robots.txt',
  ].concat(
    [
      'mcp.json',
      'ai-catalog.json',
      'security.txt',
      'oauth-authorization-server',
      'oauth-protected-resource',
    ].map((name) => `/.well-known/${name}`),
    [
      '/.well-known/oauth-protected-resource/mcp',
      '/mcp/server-card',
      '/',
      '/account',
      '/.well-known/nothing',
    ],
    EVERY_PAGE.map(({ path }) => path),
  )
  const responses = []
  // The forged request comes first: a document that is built once must not use the first request's headers.
  for (const path of documents) {
    responses.push(await callForged('GET', path))
  }
  assertForgedHostAbsent(responses)
  assert.ok(responses.every(({ status }) => status === 200 || status === 404))

  const claimRequest = await callForged('POST', '/api/claim/url', { key: tenant.key })
  assert.ok(
    claimRequest.json.approval_url.startsWith(`${baseUrl}/c/`) &&
      claimRequest.json.wait.url.startsWith(baseUrl),
  )
  const opened = await callForged('GET', new URL(claimRequest.json.approval_url).pathname)
  assert.ok(opened.headers.get('location')?.startsWith(`${baseUrl}/claim/`))
  const client = await OAuthClient.register(service)
  const registered = await callForged('POST', '/oauth/register', {
    body: { redirect_uris: ['https://client.example/cb'] },
  })
  const authorized = await callForged('GET', client.authorizeUrl().slice(baseUrl.length))
  assert.ok(authorized.headers.get('location')?.startsWith(`${baseUrl}/oauth/consent/`))
  const wrong = await callForged('GET', client.authorizeUrl({ scope: 'x' }).slice(baseUrl.length))
  assert.deepEqual([wrong.status, wrong.headers.get('location')], [400, null], 'an error page')
  assertForgedHostAbsent([claimRequest, opened, registered, authorized, wrong])

  const { Host: _host, ...forwarded } = FORGED_HEADERS
  const wire = new RawMcpClient(agent)
  const challenged = await wire.request(
    'tools/list',
    {},
    { headers: { ...forwarded, Authorization: 'Bearer x' } },
  )
  assert.ok(challenged.headers.get('www-authenticate')?.includes(`resource_metadata="${baseUrl}/`))
  const created = await wire.request(
    'tools/call',
    { name: 'create_tenant', arguments: { confirmed: true } },
    { headers: forwarded },
  )
  assert.equal(created.json.result.structuredContent.base_url, baseUrl)
  assertForgedHostAbsent([challenged, created])
})
