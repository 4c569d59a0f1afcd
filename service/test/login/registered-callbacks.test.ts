import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK, type Tenant } from '../support/actors/agent.ts'
import { problemPaths } from '../support/actors/api-error.ts'
import { world } from '../support/world.ts'

/** An error names at most so many problems (decision 13). */
const PROBLEMS_MAX = 20
const PATH = '/api/resources/social-login'

/** Each URL is rejected, alone and in a list with a valid one, and the registered list is unchanged. */
async function assertNotRegistrable(tenant: Tenant, urls: readonly string[]): Promise<void> {
  const list = { callback_urls: ['https://valid.example.com/cb', ...urls] }
  const positions = urls.map((_, index) => `callback_urls[${index + 1}]`).slice(0, PROBLEMS_MAX)
  assert.deepEqual(problemPaths(await tenant.manage('POST', PATH, list)), positions)
  const bulk = { resources: ['social-login'], configurations: { 'social-login': list } }
  assert.deepEqual(
    problemPaths(await tenant.manage('POST', '/api/resources', bulk)),
    positions.map((position) => `configurations.social-login.${position}`),
  )
  for (const url of urls) {
    assert.deepEqual(
      problemPaths(await tenant.manage('POST', PATH, { callback_url: url })),
      ['callback_url'],
      url,
    )
  }
  const { resources } = (await tenant.manage('GET', '/api/resources')).json
  assert.deepEqual(resources[0].callback_urls, [CALLBACK])
  assert.deepEqual(await tenant.eventKinds(), [])
}

// proves D2
test('a wildcard over a public suffix or over part of a label cannot be registered', async (t) => {
  const { agent } = await world(t)
  await assertNotRegistrable(await agent.createTenant(), [
    'https://*.com/cb',
    'https://*.co.uk/cb',
    'https://*.kawasaki.jp/cb',
    'https://a*.example.com/cb',
    'https://*a.example.com/cb',
    'https://*.*.example.com/cb',
    'https://**.example.com/cb',
    'https://app.*.example.com/cb',
    'https://*/cb',
    'https://*./cb',
    'https://%2a.example.com/cb',
    'https://＊.example.com/cb',
    'https://app.example.com/*',
    'https://app.example.com/cb?x=*',
    'https://example.com:*/cb',
    '*://example.com/cb',
    'http://*.example.com/cb',
    'http://*.localhost/cb',
    'https://*.127.0.0.1/cb',
    'https://*.[::1]/cb',
  ])
})

// proves C049, D1
test('only https and loopback http callback URLs in canonical form can be registered', async (t) => {
  const { agent } = await world(t)
  await assertNotRegistrable(await agent.createTenant(), [
    'javascript:alert(1)',
    'JaVaScRiPt://x/%0aalert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://app.example.com/cb',
    'view-source:https://app.example.com/cb',
    'file:///etc/passwd',
    'myapp://cb',
    'com.example.app:cb',
    'ftp://app.example.com/cb',
    'wss://app.example.com/cb',
    '//app.example.com/cb',
    'https:app.example.com',
    'https:/app.example.com/cb',
    'https:///app.example.com/cb',
    'app.example.com/cb',
    '/cb',
    '',
    ' ',
    'https://',
    'http://app.example.com/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.2/cb',
    'http://0/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'https://0x7f.1/cb',
    ' https://app.example.com/cb',
  ])
  await assertNotRegistrable(await agent.createTenant(), [
    'https://user@app.example.com/cb',
    'https://user:word@app.example.com/cb',
    'https://app.example.com@evil.example/cb',
    'https://app.example.com/cb#fragment',
    'https://app.example.com/a/../cb',
    'https://app.example.com/%2e%2e/cb',
    'https://app.example.com/..;/cb',
    'https://app.example.com\\@evil.example/cb',
    'https://app.example.com/cb\n',
    'https://app.example.com/cb\r\nX: 1',
    'https://app.exämple.com/cb',
    'https://аpp.example.com/cb',
    'https://app.example.com\u200b/cb',
    'https://%61pp.example.com/cb',
    'https://app.example.com./cb',
    'https://app..example.com/cb',
    'https://app.example.com:0/cb',
    'https://app.example.com:65536/cb',
    'https://app.example.com:/cb',
    'https://[::1/cb',
    `https://app.example.com/${'x'.repeat(2_048)}`,
  ])
})

// proves D1
test('a callback URL with a reserved query parameter, in any spelling, cannot be registered', async (t) => {
  const { agent } = await world(t)
  await assertNotRegistrable(await agent.createTenant(), [
    'https://app.example.com/cb?access_token=x',
    'https://app.example.com/cb?a=1&refresh_token=x',
    'https://app.example.com/cb?ERROR=1',
    'https://app.example.com/cb?a%63cess_token=x',
    'https://app.example.com/cb?%41CCESS_TOKEN=x',
    'https://app.example.com/cb?access_token',
    'https://app.example.com/cb?return_to=/x',
    'https://app.example.com/cb?code=1',
    'https://app.example.com/cb?state=1',
    'https://app.example.com/cb?error_description=x',
  ])
})
