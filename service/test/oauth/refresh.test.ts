import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticateBearer } from '../../src/operations/oauth/authenticate-bearer.ts'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import { ALL_SCOPES, assertOAuthError, OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] a refresh issues a new pair for the same grant and ends the previous one`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    const grant = await authenticateBearer(here.app.ctx, first.access_token)
    const second = tokensOf(await client.refresh(first.refresh_token, { resource: `${here.baseUrl}/mcp` }))
    assert.deepEqual(
      { ...second, access_token: '', refresh_token: '' },
      { ...first, access_token: '', refresh_token: '' },
    )
    assert.equal(await isAccessTokenValid(here, first.access_token), false)
    assert.equal((await authenticateBearer(here.app.ctx, second.access_token)).id, grant.id)
  })

  test(`[${engine}] of eight concurrent refreshes with one token one succeeds, and the replay revokes the grant`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    const responses = await Promise.all(Array.from({ length: 8 }, () => client.refresh(first.refresh_token)))
    assert.equal(responses.filter(({ status }) => status === 200).length, 1)
    for (const response of responses.filter(({ status }) => status !== 200))
      assertOAuthError(response, 400, 'invalid_grant')
    const winner = responses.find(({ status }) => status === 200)?.json
    assert.equal(await isAccessTokenValid(here, winner.access_token), false)
    assertOAuthError(await client.refresh(winner.refresh_token), 400, 'invalid_grant')
  })

  test(`[${engine}] replaying a used refresh token, however old, revokes its grant and no other`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    const first = await client.connect(user)
    const other = await client.connect(user)
    let current = first
    for (let round = 0; round < 3; round++) {
      here.clock.advance({ days: 5 })
      await here.app.sweep()
      current = tokensOf(await client.refresh(current.refresh_token))
    }
    assertOAuthError(await client.refresh(first.refresh_token), 400, 'invalid_grant')
    assert.equal(await isAccessTokenValid(here, current.access_token), false)
    assertOAuthError(await client.refresh(current.refresh_token), 400, 'invalid_grant')
    assert.equal((await client.refresh(other.refresh_token)).status, 200)
  })

  test(`[${engine}] a refresh token lasts 30 days, each refresh adds 30, and after a year the user must consent again`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    let tokens = await client.connect(here.browser())
    const began = here.clock.now()
    for (let round = 0; round < 12; round++) {
      here.clock.advance({ days: 29 })
      await here.app.sweep()
      tokens = tokensOf(await client.refresh(tokens.refresh_token))
    }
    here.clock.advance({ ms: began + 365 * 24 * 3_600_000 - here.clock.now() - 60_000 })
    tokens = tokensOf(await client.refresh(tokens.refresh_token))
    assert.equal(tokens.expires_in, 60, 'the last access token ends with the year')
    here.clock.advance({ minutes: 1 })
    assert.equal(await isAccessTokenValid(here, tokens.access_token), false)
    assertOAuthError(await client.refresh(tokens.refresh_token), 400, 'invalid_grant')

    const late = await client.connect(here.browser())
    here.clock.advance({ days: 30 })
    assertOAuthError(await client.refresh(late.refresh_token), 400, 'invalid_grant')
  })
}

test('a refresh may request fewer scopes for one access token, and never more', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const first = await client.connect(here.browser(), { scope: 'mcp:tenants:create mcp:tenant:read' })
  for (const wider of [ALL_SCOPES, 'mcp:tenant:read mcp:feedback:write', 'unknown']) {
    assertOAuthError(await client.refresh(first.refresh_token, { scope: wider }), 400, 'invalid_scope')
  }
  const narrow = tokensOf(await client.refresh(first.refresh_token, { scope: 'mcp:tenant:read offline_access' }))
  assert.equal(narrow.scope, 'mcp:tenant:read')
  assert.deepEqual((await authenticateBearer(here.app.ctx, narrow.access_token)).scopes, ['mcp:tenant:read'])
  const whole = tokensOf(await client.refresh(narrow.refresh_token))
  assert.equal(whole.scope, 'mcp:tenants:create mcp:tenant:read')
})

test('a refresh rejected for its client, resource or scope does not consume the token', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const other = await OAuthClient.register(here)
  const { refresh_token } = await client.connect(here.browser())
  assertOAuthError(await client.refresh(refresh_token, { client_id: other.id }), 400, 'invalid_grant')
  assertOAuthError(await client.refresh(refresh_token, { client_id: undefined }), 401, 'invalid_client')
  assertOAuthError(await client.refresh(refresh_token, { resource: 'https://x.example' }), 400, 'invalid_target')
  assertOAuthError(await client.refresh('', {}), 400, 'invalid_request')
  assertOAuthError(await client.refresh(`${refresh_token}A`), 400, 'invalid_grant')
  assert.equal((await client.refresh(refresh_token)).status, 200)
  assertOAuthError(await client.refresh(refresh_token, { client_id: other.id }), 400, 'invalid_grant')
})
