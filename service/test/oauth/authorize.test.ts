import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOAuthError, OAuthClient, type Parameters, REDIRECT } from '../support/oauth-client.ts'
import { world } from '../support/world.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('a request that is in order leads to a person, and changes nothing by itself', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here, { client_name: 'My Agent' })
  for (const accept of ['text/html', 'application/json', '*/*']) {
    const answer = await here.agent.call('GET', client.authorizeUrl(), { headers: { Accept: accept } })
    assert.equal(answer.status, 303, answer.text)
    assert.match(answer.headers.get('location') ?? '', new RegExp(`^${here.baseUrl}/oauth/consent/[\\w-]{43}$`))
    assert.equal(answer.text, '')
  }
  const person = here.browser()
  await person.open(client.authorizeUrl())
  for (const fact of ['My Agent', 'client.example.com', 'Create projects', 'Send feedback']) {
    assert.ok(person.page.text.includes(fact), fact)
  }
})

/** Requests that have no safe way back: [changes, error] */
const NO_WAY_BACK: readonly [Parameters, string][] = [
  [{ client_id: undefined }, 'invalid_client'],
  [{ client_id: 'somebody' }, 'invalid_client'],
  [{ client_id: 'https://client.example.com/metadata.json' }, 'invalid_client'],
  [{ redirect_uri: undefined }, 'invalid_request'],
  [{ redirect_uri: '' }, 'invalid_request'],
  [{ redirect_uri: 'https://evil.example/callback' }, 'invalid_request'],
  [{ redirect_uri: `${REDIRECT}/` }, 'invalid_request'],
  [{ redirect_uri: `${REDIRECT}?x=1` }, 'invalid_request'],
  [{ redirect_uri: `${REDIRECT}#x` }, 'invalid_request'],
  [{ redirect_uri: 'https://CLIENT.example.com/callback' }, 'invalid_request'],
  [{ redirect_uri: 'https://client.example.com:443/callback' }, 'invalid_request'],
  [{ redirect_uri: 'https://client.example.com/x/../callback' }, 'invalid_request'],
  [{ redirect_uri: 'https://client.example.com@evil.example/callback' }, 'invalid_request'],
  [{ redirect_uri: 'http://client.example.com/callback' }, 'invalid_request'],
]

test('an unknown client or redirect URI is refused here: a page for a person, JSON for a program, and no redirect', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const [changes, error] of NO_WAY_BACK) {
    const url = client.authorizeUrl(changes)
    assertOAuthError(await here.agent.call('GET', url, { headers: { Accept: 'application/json' } }), 400, error)
    const person = here.browser()
    await person.open(url)
    assert.equal(person.page.status, 400, url)
    assert.equal(person.page.headers.get('location'), null)
    assert.match(person.page.text, /Nothing was allowed/)
    for (const [name, value] of [
      ['x-frame-options', 'DENY'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
    ] as const) {
      assert.equal(person.page.headers.get(name), value)
    }
    assert.match(person.page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  }
})

test('a parameter that comes twice is refused here, whichever it is', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const twice of ['redirect_uri', 'client_id', 'state', 'scope', 'resource', 'code_challenge', 'anything']) {
    const url = `${client.authorizeUrl({ scope: 'mcp:tenant:read', anything: '1' })}&${twice}=x`
    assertOAuthError(await here.agent.call('GET', url), 400, 'invalid_request')
  }
})

/** Requests of which the client itself hears: [changes, error] */
const TOLD_TO_THE_CLIENT: readonly [Parameters, string][] = [
  [{ response_type: undefined }, 'invalid_request'],
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: 'code id_token' }, 'unsupported_response_type'],
  [{ response_mode: 'fragment' }, 'invalid_request'],
  [{ code_challenge: undefined }, 'invalid_request'],
  [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  [{ code_challenge_method: undefined }, 'invalid_request'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ code_challenge_method: 's256' }, 'invalid_request'],
  [{ code_challenge: CHALLENGE.slice(1) }, 'invalid_request'],
  [{ code_challenge: `${CHALLENGE}=` }, 'invalid_request'],
  [{ code_challenge: CHALLENGE.replace('-', '+') }, 'invalid_request'],
  [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  [{ resource: '' }, 'invalid_target'],
  [{ scope: 'everything' }, 'invalid_scope'],
  [{ scope: 'mcp:tenant:reads openid' }, 'invalid_scope'],
  [{ state: 'line\nbreak' }, 'invalid_request'],
]

test('whatever else is wrong the client hears at its own address, with state and iss', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const [changes, error] of TOLD_TO_THE_CLIENT) {
    const answer = await here.agent.call('GET', client.authorizeUrl(changes))
    assert.equal(answer.status, 303, answer.text)
    const landed = new URL(answer.headers.get('location') ?? '')
    assert.equal(landed.origin + landed.pathname, REDIRECT)
    assert.equal(landed.searchParams.get('error'), error, JSON.stringify(changes))
    assert.equal(landed.searchParams.get('iss'), here.baseUrl)
    assert.equal(landed.searchParams.get('state'), 'state' in changes ? null : client.state)
    assert.match(landed.searchParams.get('error_description') ?? '', /^[A-Z].+\.$/)
    assert.equal(landed.searchParams.has('code'), false)
    assert.equal(answer.headers.get('set-cookie'), null)
  }
})

test('tokens for the retired manage resource are not given', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const resource of ['/mcp/manage', '/mcp//', '/MCP', '', '/', '/mcp#x', '/mcp?x', '@evil.example/mcp']) {
    const answer = await here.agent.call('GET', client.authorizeUrl({ resource: here.baseUrl + resource }))
    assert.match(answer.headers.get('location') ?? '', /error=invalid_target/, resource)
  }
})

test('the resource may be left out, end in a slash, or be written in capitals; the token is for the same one', async (t) => {
  const here = await world(t)
  const person = here.browser()
  for (const resource of [
    undefined,
    `${here.baseUrl}/mcp`,
    `${here.baseUrl}/mcp/`,
    `${here.baseUrl}/mcp?login`,
    `${here.baseUrl.toUpperCase()}/mcp`,
  ]) {
    const client = await OAuthClient.register(here)
    assert.equal((await client.connect(person, { resource })).resource, `${here.baseUrl}/mcp`)
  }
})

test('a client gets the scopes it asks for; those it does not know from us are ignored, and none means all', async (t) => {
  const here = await world(t)
  const person = here.browser()
  for (const [asked, given] of [
    ['mcp:tenant:read', 'mcp:tenant:read'],
    ['mcp:feedback:write mcp:tenants:create', 'mcp:tenants:create mcp:feedback:write'],
    ['openid profile offline_access mcp:tenant:read', 'mcp:tenant:read'],
    ['unknown mcp:tenant:read mcp:tenant:read', 'mcp:tenant:read'],
    ['offline_access', 'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write'],
    ['', 'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write'],
  ] as const) {
    const client = await OAuthClient.register(here)
    assert.equal((await client.connect(person, { scope: asked })).scope, given, asked)
  }
})

test('whoever only looks ahead starts nothing', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const [method, headers] of [
    ['HEAD', {}],
    ['GET', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['GET', { Purpose: 'prefetch' }],
  ] as const) {
    const answer = await here.agent.call(method, client.authorizeUrl(), { headers })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('location'), null)
  }
})

test('clients that ignore the metadata find the same endpoints at the root', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const person = here.browser()
  await person.open(client.authorizeUrl().replace('/oauth/authorize', '/authorize'))
  const code = client.codeIn(await person.press('Continue as guest'))
  const answer = await here.agent.call('POST', '/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      redirect_uri: client.redirectUri,
      code_verifier: client.verifier,
    }).toString(),
  })
  assert.equal(answer.status, 200, answer.text)
})

test('one source cannot fill our tables with requests that nobody decides', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const answers = await Promise.all(Array.from({ length: 125 }, () => here.agent.call('GET', client.authorizeUrl())))
  assert.equal(answers.filter(({ status }) => status === 303).length, 120)
  const person = here.browser()
  await person.open(client.authorizeUrl())
  assert.equal(person.page.status, 429)
  assert.match(person.page.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})
