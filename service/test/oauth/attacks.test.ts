import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import type { Page } from '../support/actors/browser.ts'
import {
  assertOAuthError,
  OAuthClient,
  type Parameters,
  REDIRECT,
  tokensOf,
} from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Requests without a trusted redirect URI: [changes, error] */
const WITHOUT_REDIRECT: readonly [Parameters, string][] = [
  [{ client_id: undefined }, 'invalid_client'],
  [{ client_id: 'unknown' }, 'invalid_client'],
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

/** The page of a rejected request, which redirects nowhere; a caller that accepts JSON gets this error. */
async function rejectedPage({ agent, browser }: World, url: string, error: string): Promise<Page> {
  const headers = { Accept: 'application/json' }
  assertOAuthError(await agent.call('GET', url, { headers }), 400, error)

  const user = browser()
  await user.open(url)
  assert.equal(user.page.status, 400, url)
  assert.equal(user.page.headers.get('location'), null)
  assert.match(user.page.text, /Nothing was allowed/)
  return user.page
}

// proves C112, ASVS 10.4.1
test('an unknown client or redirect URI gets a page or JSON and never a redirect', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  for (const [changes, error] of WITHOUT_REDIRECT) {
    const { headers } = await rejectedPage(here, client.authorizeUrl(changes), error)
    for (const [name, value] of [
      ['x-frame-options', 'DENY'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
    ] as const) {
      assert.equal(headers.get(name), value)
    }
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  }
})

/** Requests with a registered redirect URI and another mistake: [changes, error] */
const INVALID_REQUESTS: readonly [Parameters, string][] = [
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
  [{ state: undefined, scope: 'everything' }, 'invalid_scope'],
]

// proves ASVS 10.4.4
test('an authorization error before consent is redirected to a loopback address only, with state and iss', async (t) => {
  const here = await world(t)
  const redirectUri = 'http://127.0.0.1:33418/callback'
  const client = await OAuthClient.register(here, {}, redirectUri)
  for (const [changes, error] of INVALID_REQUESTS) {
    const response = await here.agent.call('GET', client.authorizeUrl(changes))
    assert.equal(response.status, 303, response.text)
    const redirectedTo = new URL(response.headers.get('location') ?? '')
    assert.equal(redirectedTo.origin + redirectedTo.pathname, redirectUri)
    assert.equal(redirectedTo.searchParams.get('error'), error, JSON.stringify(changes))
    assert.equal(redirectedTo.searchParams.get('iss'), here.baseUrl)
    assert.equal(redirectedTo.searchParams.get('state'), 'state' in changes ? null : client.state)
    assert.match(redirectedTo.searchParams.get('error_description') ?? '', /^[A-Z].+\.$/)
    assert.equal(redirectedTo.searchParams.has('code'), false)
    assert.equal(response.headers.get('set-cookie'), null)
  }
})

// proves D6, RFC 9700 4.11
test('a link to /oauth/authorize with a mistake never leads to the site or program of a client that registered itself', {
  skip: slow,
}, async (t) => {
  const here = await world(t)
  for (const redirectUri of [REDIRECT, 'cursor://anysphere.cursor-mcp/oauth/callback']) {
    const client = await OAuthClient.register(here, {}, redirectUri)
    for (const [changes, error] of INVALID_REQUESTS) {
      const { text } = await rejectedPage(here, client.authorizeUrl(changes), error)
      assert.doesNotMatch(text, /client\.example\.com|cursor/)
    }
  }
})

// proves C111, C120, ASVS 10.4.4, RFC 9700 2.1.1
test('a code requires its client, redirect URI, resource and verifier, and a failed exchange does not consume it', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const other = await OAuthClient.register(here)
  const code = await client.code(here.browser())
  /** [changes, status, error] */
  const wrong: readonly [Parameters, number, string][] = [
    [{ code_verifier: undefined }, 400, 'invalid_request'],
    [{ code_verifier: '' }, 400, 'invalid_request'],
    [{ code_verifier: other.verifier }, 400, 'invalid_grant'],
    [{ code_verifier: client.challenge }, 400, 'invalid_grant'],
    [{ code_verifier: client.verifier.slice(1) }, 400, 'invalid_grant'],
    [{ code_verifier: `${client.verifier}${'a'.repeat(90)}` }, 400, 'invalid_grant'],
    [{ redirect_uri: undefined }, 400, 'invalid_request'],
    [{ redirect_uri: `${client.redirectUri}/` }, 400, 'invalid_grant'],
    [{ redirect_uri: 'https://evil.example/cb' }, 400, 'invalid_grant'],
    [{ client_id: other.id }, 400, 'invalid_grant'],
    [{ client_id: undefined }, 401, 'invalid_client'],
    [{ client_id: 'unknown' }, 401, 'invalid_client'],
    [{ client_id: 'https://client.example/metadata.json' }, 401, 'invalid_client'],
    [{ resource: 'https://elsewhere.example/mcp' }, 400, 'invalid_target'],
    [{ resource: `${here.baseUrl}/mcp/manage` }, 400, 'invalid_target'],
    [{ code: undefined }, 400, 'invalid_request'],
    [{ code: 'mcp_ac_unknown' }, 400, 'invalid_grant'],
    [{ code: `mcp_ac_${'A'.repeat(43)}` }, 400, 'invalid_grant'],
    [{ code: code.replace('mcp_ac_', 'mcp_rt_') }, 400, 'invalid_grant'],
    [{ code: `${code}A` }, 400, 'invalid_grant'],
    [{ grant_type: undefined }, 400, 'invalid_request'],
    [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'password', username: 'ada', password: 'x' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: code }, 400, 'invalid_grant'],
  ]
  for (const [changes, status, error] of wrong) {
    assertOAuthError(await client.exchange(code, changes), status, error)
  }
  assert.equal((await client.exchange(code)).status, 200)
})

for (const engine of ENGINES) {
  // proves ASVS 10.4.2
  test(`[${engine}] replaying a code, even a day later, revokes the tokens issued for it and nothing else`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    const code = await client.code(user)
    const stolen = tokensOf(await client.exchange(code))
    let other = await client.connect(user)
    here.clock.advance({ days: 1 })
    const next = tokensOf(await client.refresh(stolen.refresh_token))
    other = tokensOf(await client.refresh(other.refresh_token))
    await here.app.sweep()
    assertOAuthError(
      await client.exchange(code, { code_verifier: 'x'.repeat(43) }),
      400,
      'invalid_grant',
    )
    assert.equal(await isAccessTokenValid(here, next.access_token), false)
    assertOAuthError(await client.refresh(next.refresh_token), 400, 'invalid_grant')
    assert.equal(await isAccessTokenValid(here, other.access_token), true)
  })
}
