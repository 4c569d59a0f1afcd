import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import {
  ALL_SCOPES,
  assertOAuthError,
  OAuthClient,
  postForm,
} from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] a code is exchanged for one token pair with the response of RFC 6749, section 5.1`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const response = await client.exchange(await client.code(here.browser()), {
      resource: `${here.baseUrl}/mcp`,
    })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const { access_token, refresh_token, ...rest } = response.json
    assert.match(access_token, /^mcp_at_[\w-]{43}$/)
    assert.match(refresh_token, /^mcp_rt_[\w-]{43}$/)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: ALL_SCOPES,
      principal_type: 'account',
      resource: `${here.baseUrl}/mcp`,
    })
    assert.equal(await isAccessTokenValid(here, access_token), true)
    here.clock.advance({ minutes: 59, seconds: 59 })
    assert.equal(await isAccessTokenValid(here, access_token), true)
    here.clock.advance({ seconds: 1 })
    assert.equal(await isAccessTokenValid(here, access_token), false, 'expired after an hour')
  })

  test(`[${engine}] of eight concurrent exchanges of one code one succeeds, and the replay revokes its tokens`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const code = await client.code(here.browser())
    const responses = await Promise.all(Array.from({ length: 8 }, () => client.exchange(code)))
    assert.equal(responses.filter(({ status }) => status === 200).length, 1)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      assertOAuthError(response, 400, 'invalid_grant')
    }
    const tokens = responses.find(({ status }) => status === 200)?.json
    assert.equal(await isAccessTokenValid(here, tokens.access_token), false)
    assertOAuthError(await client.refresh(tokens.refresh_token), 400, 'invalid_grant')
  })

  // proves ASVS 10.4.3
  test(`[${engine}] a code expires after one minute`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    const [soon, late] = [await client.code(user), await client.code(user)]
    here.clock.advance({ seconds: 59 })
    assert.equal((await client.exchange(soon)).status, 200)
    here.clock.advance({ seconds: 1 })
    assertOAuthError(await client.exchange(late), 400, 'invalid_grant')
    await here.app.sweep()
    assertOAuthError(await client.exchange(late), 400, 'invalid_grant')
  })
}

test('the token endpoint accepts forms only, and each parameter once', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const code = await client.code(here.browser())
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client.id,
    code,
    redirect_uri: client.redirectUri,
    code_verifier: client.verifier,
  })
  const send = (text: string, type: string) =>
    here.agent.call('POST', '/oauth/token', { body: text, headers: { 'Content-Type': type } })
  const form = 'application/x-www-form-urlencoded'
  assertOAuthError(
    await send(JSON.stringify(Object.fromEntries(body)), 'application/json'),
    400,
    'invalid_request',
  )
  assertOAuthError(await send(`${body}`, 'text/plain'), 400, 'invalid_request')
  assertOAuthError(await send(`${body}&client_id=x`, form), 400, 'invalid_request')
  assertOAuthError(
    await send(`${body}&code_verifier=${client.verifier}`, form),
    400,
    'invalid_request',
  )
  assertOAuthError(await send('%ff%fe', form), 400, 'invalid_request')
  assertOAuthError(await send('', form), 400, 'invalid_request')
  const inQuery = await here.agent.call('POST', `/oauth/token?${body}`, {
    headers: { 'Content-Type': form },
  })
  assertOAuthError(inQuery, 400, 'invalid_request')
  const huge = await send(`${body}&x=${'x'.repeat(70_000)}`, form)
  assert.equal(huge.status, 413)
  assert.equal((await send(`${body}`, `${form}; charset=UTF-8`)).status, 200)
})

test('Basic client authentication is rejected with invalid_client, a challenge, and what to send instead', async (t) => {
  const here = await world(t)
  const response = await here.agent.call('POST', '/oauth/token', {
    body: 'grant_type=refresh_token&refresh_token=x',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
    },
  })
  assertOAuthError(response, 401, 'invalid_client')
  assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /)
  assert.match(
    response.json.error_description,
    /no Authorization header, and send client_id as a parameter of the form/,
  )
})

test('no token is accepted by an endpoint of another kind', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const tokens = await client.connect(here.browser())
  for (const wrong of [
    tokens.refresh_token,
    tokens.access_token.slice(0, -1),
    tokens.access_token.toUpperCase(),
    'x',
    '',
  ]) {
    assert.equal(await isAccessTokenValid(here, wrong), false)
  }
  const status = await here.agent.call('GET', '/api/status', { key: tokens.access_token })
  assert.equal(status.status, 401)
  const form = await postForm(here, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: client.id,
    refresh_token: tokens.access_token,
  })
  assertOAuthError(form, 400, 'invalid_grant')
})
