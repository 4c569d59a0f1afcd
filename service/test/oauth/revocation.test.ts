import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import {
  assertOAuthError,
  OAuthClient,
  postForm,
  type Tokens,
} from '../support/actors/oauth-client.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C086
  test(`[${engine}] revoking either token ends the whole grant immediately on every instance`, async (t) => {
    const here = await world(t, { engine })
    const elsewhere = await world(t, { like: here })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    for (const which of ['access_token', 'refresh_token'] as const) {
      for (const hint of [undefined, 'access_token', 'refresh_token', 'nonsense']) {
        const tokens = await client.connect(user)
        const response = await client.revoke(tokens[which], { token_type_hint: hint })
        assert.deepEqual([response.status, response.text], [200, '{}'])
        for (const instance of [here, elsewhere]) {
          assert.equal(await isAccessTokenValid(instance, tokens.access_token), false)
        }
        assertOAuthError(await client.refresh(tokens.refresh_token), 400, 'invalid_grant')
        assert.equal((await client.revoke(tokens[which])).status, 200, 'again')
      }
    }
  })

  // proves C122, ASVS 10.3.1
  test(`[${engine}] an access token for another resource, such as the retired one, is rejected`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const tokens = await client.connect(here.browser())
    await raw(databaseOf(here), `update oauth_grants set resource = '${here.baseUrl}/mcp/manage'`)
    assert.equal(await isAccessTokenValid(here, tokens.access_token), false)
    assertOAuthError(await client.refresh(tokens.refresh_token), 400, 'invalid_target')
  })

  // proves S026
  test(`[${engine}] expired grants, codes, tokens and requests are deleted`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    const revoked = await client.connect(user)
    await client.revoke(revoked.access_token)
    await client.code(user)
    await client.open(user)
    const kept = await client.connect(user)
    here.clock.advance({ minutes: 11 })
    await here.app.sweep()
    const rows = async (table: string) =>
      Number((await raw(databaseOf(here), `select count(*) as n from ${table}`))[0]?.n)
    const tables = [
      'oauth_approvals',
      'oauth_grants',
      'oauth_codes',
      'oauth_access_tokens',
      'oauth_refresh_tokens',
    ]
    assert.deepEqual(await Promise.all(tables.map(rows)), [0, 1, 1, 1, 1])
    assert.equal(await isAccessTokenValid(here, kept.access_token), true)
    here.clock.advance({ days: 30 })
    await here.app.sweep()
    assert.deepEqual(await Promise.all(tables.map(rows)), [0, 0, 0, 0, 0])
  })
}

test('revoking an unknown token or another client’s token returns 200 and changes nothing', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const other = await OAuthClient.register(here)
  const tokens: Tokens = await client.connect(here.browser())
  for (const [token, client_id] of [
    ['nonsense', client.id],
    [`mcp_at_${'A'.repeat(43)}`, client.id],
    [`mcp_rt_${'A'.repeat(43)}`, client.id],
    [tokens.access_token, other.id],
    [tokens.refresh_token, 'unknown-client'],
  ] as const) {
    assert.equal((await postForm(here, '/oauth/revoke', { token, client_id })).status, 200)
  }
  assert.equal(await isAccessTokenValid(here, tokens.access_token), true)
  assertOAuthError(
    await postForm(here, '/oauth/revoke', { client_id: client.id }),
    400,
    'invalid_request',
  )
  assertOAuthError(
    await here.agent.call('POST', '/oauth/revoke', { body: { token: 'x' } }),
    400,
    'invalid_request',
  )
  assert.equal((await postForm(here, '/oauth/revoke', { token: tokens.access_token })).status, 200)
  assert.equal(
    await isAccessTokenValid(here, tokens.access_token),
    false,
    'the holder of a token can revoke it without a client_id',
  )
})
