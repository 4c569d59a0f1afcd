import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVALS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import { minuteStart } from '../../src/domain/limits/counter.ts'
import { assertOAuthError, OAuthClient } from '../support/actors/oauth-client.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

test('a valid authorization request redirects to the consent page', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here, { client_name: 'My Agent' })
  for (const accept of ['text/html', 'application/json', '*/*']) {
    const response = await here.agent.call('GET', client.authorizeUrl(), {
      headers: { Accept: accept },
    })
    assert.equal(response.status, 303, response.text)
    assert.match(
      response.headers.get('location') ?? '',
      new RegExp(`^${here.baseUrl}/oauth/consent/[\\w-]{43}$`),
    )
    assert.equal(response.text, '')
  }
  const user = here.browser()
  await user.open(client.authorizeUrl({ response_mode: 'query' }))
  for (const fact of ['My Agent', 'client.example.com', 'Create projects', 'Send feedback']) {
    assert.ok(user.page.text.includes(fact), fact)
  }
})

test('a duplicate authorization parameter is rejected without a redirect', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const twice of [
    'redirect_uri',
    'client_id',
    'state',
    'scope',
    'resource',
    'code_challenge',
    'anything',
  ]) {
    const url = `${client.authorizeUrl({ scope: 'mcp:tenant:read', anything: '1' })}&${twice}=x`
    assertOAuthError(await here.agent.call('GET', url), 400, 'invalid_request')
  }
})

test('a redirect_uri that is missing and one that is not registered are told apart, and a limit is no redirect', async (t) => {
  const here = await world(t)
  const { ctx } = here.app
  const client = await OAuthClient.register(here, {}, 'http://127.0.0.1:3000/callback')
  const authorize = (changes = {}) => here.agent.call('GET', client.authorizeUrl(changes))
  assert.match((await authorize({ redirect_uri: undefined })).text, /The redirect_uri is missing\./)
  assert.match(
    (await authorize({ redirect_uri: 'https://evil.example/' })).text,
    /none of those that this client/,
  )
  const scope = `approvals:${ctx.keyring.hash('source', '127.0.0.1')}` as const
  const counter = { scope, window: 'minute', start: minuteStart(ctx.now()) } as const
  await ctx.stores.transaction(({ counters }) =>
    counters.spend(counter, APPROVALS_PER_MINUTE_PER_ADDRESS, null),
  )
  const limited = await authorize()
  assert.deepEqual([limited.status, limited.headers.get('location')], [429, null])
})

test('tokens for the retired manage resource are not issued', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const resource of [
    '/mcp/manage',
    '/mcp//',
    '/MCP',
    '',
    '/',
    '/mcp#x',
    '/mcp?x',
    '@evil.example/mcp',
  ]) {
    const response = await here.agent.call(
      'GET',
      client.authorizeUrl({ resource: here.baseUrl + resource }),
    )
    assertOAuthError(response, 400, 'invalid_target')
    const { error_description: description } = response.json
    assert.equal(description, `The only resource here is ${here.baseUrl}/mcp.`)
  }
})

// proves C113
test('the resource may be omitted, end in a slash or be uppercase; the token has the same audience', async (t) => {
  const here = await world(t)
  const user = here.browser()
  for (const resource of [
    undefined,
    `${here.baseUrl}/mcp`,
    `${here.baseUrl}/mcp/`,
    `${here.baseUrl}/mcp?login`,
    `${here.baseUrl.toUpperCase()}/mcp`,
  ]) {
    const client = await OAuthClient.register(here)
    assert.equal((await client.connect(user, { resource })).resource, `${here.baseUrl}/mcp`)
  }
})

test('a client gets the scopes it requests; unknown scopes are ignored, and no scope means all', async (t) => {
  const here = await world(t)
  const user = here.browser()
  for (const [requested, granted] of [
    ['mcp:tenant:read', 'mcp:tenant:read'],
    ['mcp:feedback:write mcp:tenants:create', 'mcp:tenants:create mcp:feedback:write'],
    ['openid profile offline_access mcp:tenant:read', 'mcp:tenant:read'],
    ['unknown mcp:tenant:read mcp:tenant:read', 'mcp:tenant:read'],
    ['offline_access', 'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write'],
    ['', 'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write'],
  ] as const) {
    const client = await OAuthClient.register(here)
    assert.equal((await client.connect(user, { scope: requested })).scope, granted, requested)
  }
})

test('prefetching /oauth/authorize creates no authorization request', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const headers of [{ 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }]) {
    const response = await here.agent.call('GET', client.authorizeUrl(), { headers })
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('location'), null)
  }
})

test('a link checker gets success at /oauth/authorize for a known client only, and creates no authorization request', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const known = await here.agent.call('HEAD', client.authorizeUrl())
  assert.equal(known.status, 204)
  assert.deepEqual([known.headers.get('location'), known.headers.get('set-cookie')], [null, null])

  const unknown = new OAuthClient(here, 'unknown')
  assert.equal((await here.agent.call('HEAD', unknown.authorizeUrl())).status, 400)
})

test('the OAuth endpoints are also served at the root for clients that ignore the metadata', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await user.open(client.authorizeUrl().replace('/oauth/authorize', '/authorize'))
  const code = client.codeIn(await user.press('Continue as guest'))
  const response = await here.agent.call('POST', '/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      redirect_uri: client.redirectUri,
      code_verifier: client.verifier,
    }).toString(),
  })
  assert.equal(response.status, 200, response.text)
})

test('pending authorization requests are limited per client address', { skip: slow }, async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const responses = await Promise.all(
    Array.from({ length: 125 }, () => here.agent.call('GET', client.authorizeUrl())),
  )
  assert.equal(responses.filter(({ status }) => status === 303).length, 120)
  const user = here.browser()
  await user.open(client.authorizeUrl())
  assert.equal(user.page.status, 429)
  assert.match(user.page.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})
