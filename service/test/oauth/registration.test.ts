import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOAuthError, OAuthClient, REDIRECT } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const register = ({ agent }: Pick<World, 'agent'>, body: unknown, path = '/oauth/register') =>
  agent.call('POST', path, { body })

// proves C085
test('a registration returns the values that apply to every client, and no secret', async (t) => {
  const here = await world(t)
  const sent = {
    client_name: 'My Agent',
    redirect_uris: [REDIRECT, REDIRECT],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code', 'token'],
    scope: 'openid everything',
    application_type: 'web',
    logo_uri: 'http://169.254.169.254/logo.png',
    jwks_uri: 'http://localhost:1/jwks',
    software_id: 'x',
    contacts: [{ odd: true }],
  }
  for (const path of ['/oauth/register', '/register']) {
    const response = await register(here, sent, path)
    assert.equal(response.status, 201, response.text)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const { client_id, ...rest } = response.json
    assert.match(client_id, /^mcp_cl_\d+_[\w-]+$/)
    assert.deepEqual(rest, {
      client_id_issued_at: here.clock.now() / 1_000,
      client_name: 'My Agent',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write',
    })
  }
})

test('a client id has letters, digits, - and _ only, whatever the client registers', async (t) => {
  const here = await world(t)
  for (const name of ['', 'ü?>~', '\u{1f600}'.repeat(20), 'a'.repeat(80)]) {
    const { id } = await OAuthClient.register(here, { client_name: name })
    assert.match(id, /^[A-Za-z0-9_-]+$/)
    const response = await here.agent.call('GET', new OAuthClient(here, id).authorizeUrl())
    assert.equal(response.status, 303, response.text)
  }
})

test('two identical registrations create two clients', async (t) => {
  const here = await world(t)
  const [one, two] = [await OAuthClient.register(here), await OAuthClient.register(here)]
  assert.notEqual(one.id, two.id)
})

/** [metadata, error] */
const INVALID_METADATA: readonly [unknown, string][] = [
  [{}, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
  [{ redirect_uris: [7] }, 'invalid_redirect_uri'],
  [
    { redirect_uris: Array.from({ length: 11 }, (_, at) => `${REDIRECT}/${at}`) },
    'invalid_redirect_uri',
  ],
  [{ redirect_uris: [REDIRECT, 'javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['http://app.example.com/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://*.example.com/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://app.example.com/cb#x'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a@evil.example/cb'] }, 'invalid_redirect_uri'],
  [[], 'invalid_client_metadata'],
  ['"text"', 'invalid_client_metadata'],
  ['{broken', 'invalid_client_metadata'],
  ['null', 'invalid_client_metadata'],
  ['{"__proto__": {}, "redirect_uris": []}', 'invalid_client_metadata'],
  [
    { redirect_uris: Array.from({ length: 9 }, (_, at) => `${REDIRECT}/${at}${'x'.repeat(500)}`) },
    'invalid_client_metadata',
  ],
]

// proves ASVS 10.4.7
test('unsafe client metadata is rejected with the reason', async (t) => {
  const here = await world(t)
  for (const [sent, error] of INVALID_METADATA) {
    assertOAuthError(await register(here, sent), 400, error)
  }
  const empty = await here.agent.call('POST', '/oauth/register')
  assertOAuthError(empty, 400, 'invalid_client_metadata')
  const form = await here.agent.call('POST', '/oauth/register', {
    body: 'redirect_uris=x',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  assertOAuthError(form, 400, 'invalid_client_metadata')
  const huge = await register(here, { redirect_uris: [REDIRECT], filler: 'x'.repeat(17_000) })
  assert.equal(huge.status, 413)
  assert.equal(huge.json.error, 'invalid_request')
})

test('a client id of 4,096 characters is issued and known; a registration that needs more is refused', async (t) => {
  const here = await world(t)
  const sent = (padding: number) => {
    const redirect_uris = [
      REDIRECT,
      `${REDIRECT}/${'x'.repeat(1_800)}`,
      `${REDIRECT}/${'y'.repeat(padding)}`,
    ]
    return { client_name: '', redirect_uris }
  }
  const { client_id: short } = (await register(here, sent(5))).json
  const missing = ((4_096 - short.length) / 4) * 3
  assert.equal(Math.floor(missing), missing, 'base64url adds four characters for three bytes')
  const { client_id: longest } = (await register(here, sent(5 + missing))).json
  assert.equal(longest.length, 4_096)
  assert.equal(
    (await here.agent.call('GET', new OAuthClient(here, longest).authorizeUrl())).status,
    303,
  )
  assertOAuthError(await register(here, sent(6 + missing)), 400, 'invalid_client_metadata')
})

for (const engine of ENGINES) {
  test(`[${engine}] a client address can register 60 clients a minute, independently of others`, async (t) => {
    const here = await world(t, { engine, env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
    const registerFrom = (address: string) =>
      here.agent.call('POST', '/oauth/register', {
        body: { redirect_uris: [REDIRECT] },
        headers: { 'X-Forwarded-For': address },
      })
    const responses = await Promise.all(
      Array.from({ length: 65 }, () => registerFrom('203.0.113.9')),
    )
    assert.equal(responses.filter(({ status }) => status === 201).length, 60)
    const limited = responses.find(({ status }) => status === 429)
    assert.equal(limited?.json.error, 'too_many_requests')
    assert.match(limited?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await registerFrom('203.0.113.10')).status, 201)
    here.clock.advance({ minutes: 1 })
    assert.equal((await registerFrom('203.0.113.9')).status, 201)
  })
}

// proves C003
test('a registered client id stays valid as long as the master key, and nothing is stored', async (t) => {
  const first = await world(t)
  const client = await OAuthClient.register(first)
  const tokens = await client.connect(first.browser())
  first.clock.advance({ days: 29 })
  await first.app.sweep()
  await first.stop()

  const second = await world(t, { like: first })
  const again = new OAuthClient(second, client.id)
  assert.equal((await again.refresh(tokens.refresh_token)).status, 200)
  await again.connect(second.browser())
})

// proves RFC 9700 4.15
test('a forged or altered client id is rejected', async (t) => {
  const here = await world(t)
  const { id } = await OAuthClient.register(here)
  const [, kid = '', payload = '', mac = ''] = /^mcp_cl_(\d+)_(.+)(.{43})$/.exec(id) ?? []
  const other = Buffer.from(JSON.stringify(['Evil', ['https://evil.example/cb'], 0, 'x'])).toString(
    'base64url',
  )
  for (const forged of [
    `mcp_cl_${kid}_${other}${mac}`,
    `mcp_cl_${Number(kid) + 1}_${payload}${mac}`,
    `mcp_cl_${kid}_${payload}${mac.slice(1)}A`,
    `mcp_cl_${kid}_${payload}`,
    `mcp_cl_${payload}${mac}`,
    `mcp_cl_${kid}_${mac}`,
    `mcp_cl_0${kid}_${payload}${mac}`,
    `mcp_cl_${payload}.${kid}.${mac}`,
    `${id}A`,
    ` ${id}`,
    id.toUpperCase(),
    'mcp_cl_',
    'x'.repeat(5_000),
    '',
  ]) {
    const client = new OAuthClient(here, forged)
    const response = await here.agent.call('GET', client.authorizeUrl())
    assertOAuthError(response, 400, 'invalid_client')
    assertOAuthError(await client.exchange('mcp_ac_x'), 401, 'invalid_client')
  }
})
