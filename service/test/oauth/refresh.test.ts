import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keyring } from '../../src/domain/tokens/keyring.ts'
import { authenticateBearer, refreshGrant } from '../../src/operations/oauth/tokens.ts'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import {
  ALL_SCOPES,
  assertOAuthError,
  OAuthClient,
  tokensOf,
} from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C118
  test(`[${engine}] a refresh issues a new pair for the same grant, and earlier access tokens live until they expire`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    const grant = await authenticateBearer(here.app.ctx, first.access_token)
    here.clock.advance({ minutes: 30 })
    const second = tokensOf(
      await client.refresh(first.refresh_token, { resource: `${here.baseUrl}/mcp` }),
    )
    assert.deepEqual(
      { ...second, access_token: '', refresh_token: '' },
      { ...first, access_token: '', refresh_token: '' },
    )
    assert.equal((await authenticateBearer(here.app.ctx, second.access_token)).id, grant.id)
    assert.equal(await isAccessTokenValid(here, first.access_token), true)
    here.clock.advance({ minutes: 30 })
    assert.equal(await isAccessTokenValid(here, first.access_token), false, 'it has expired')
    assert.equal(await isAccessTokenValid(here, second.access_token), true)
  })

  test(`[${engine}] forty sessions that refresh one shared token at once get one refresh token and an access token each`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    here.clock.advance({ hours: 1 })
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => client.refresh(first.refresh_token)),
    )
    const tokens = responses.map(tokensOf)
    assert.equal(new Set(tokens.map(({ refresh_token }) => refresh_token)).size, 1)
    assert.equal(new Set(tokens.map(({ access_token }) => access_token)).size, 40)
    for (const { access_token } of tokens) {
      assert.equal(await isAccessTokenValid(here, access_token), true)
    }
    assert.notEqual(tokens[0]?.refresh_token, first.refresh_token)
    const { status } = await client.refresh(tokens[0]?.refresh_token ?? '')
    assert.equal(status, 200, 'no session is signed out')
    const metrics = await here.agent.call('GET', '/metrics')
    assert.match(metrics.text, /^gatehouse_agent_refresh_repeats_total\{age="10s"\} 39$/m)
  })

  // proves S004, ASVS 10.4.5
  test(`[${engine}] a spent refresh token returns the current one for ten minutes, over several generations, and then revokes the grant`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    const [first, other] = [await client.connect(user), await client.connect(user)]
    here.clock.advance({ hours: 1 })
    const second = tokensOf(await client.refresh(first.refresh_token))
    here.clock.advance({ minutes: 3 })
    const third = tokensOf(await client.refresh(second.refresh_token))
    here.clock.advance({ minutes: 4, seconds: 45 })
    const late = tokensOf(await client.refresh(first.refresh_token))
    assert.equal(
      late.refresh_token,
      third.refresh_token,
      'after 7 min 45 s the current token, no second chain',
    )
    assert.equal(await isAccessTokenValid(here, late.access_token), true)

    here.clock.advance({ minutes: 2, seconds: 15 })
    assert.equal((await client.refresh(first.refresh_token)).status, 200)
    here.clock.advance({ ms: 1 })
    assertOAuthError(await client.refresh(first.refresh_token), 400, 'invalid_grant')
    for (const { access_token } of [second, third, late]) {
      assert.equal(
        await isAccessTokenValid(here, access_token),
        false,
        'the grant and all its tokens are revoked',
      )
    }
    assertOAuthError(await client.refresh(third.refresh_token), 400, 'invalid_grant')
    assert.equal(
      (await client.refresh(other.refresh_token)).status,
      200,
      'another grant is not affected',
    )
  })

  test(`[${engine}] more than eight generations back, or at another client, a spent refresh token gives nothing`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const stranger = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    let current = first
    for (let round = 0; round < 9; round++) {
      const foreign = await client.refresh(first.refresh_token, { client_id: stranger.id })
      assertOAuthError(foreign, 400, 'invalid_grant')
      current = tokensOf(await client.refresh(current.refresh_token))
    }
    assert.equal(
      await isAccessTokenValid(here, current.access_token),
      true,
      'another client revokes nothing',
    )
    assertOAuthError(await client.refresh(first.refresh_token), 400, 'invalid_grant')
    assert.equal(await isAccessTokenValid(here, current.access_token), false)
  })

  test(`[${engine}] a grant keeps its newest hundred access tokens`, { skip: slow }, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const { access_token, refresh_token } = await client.connect(here.browser())
    const all = [access_token]
    const input = { clientId: client.id, scope: undefined, resource: undefined }
    for (let refreshToken = refresh_token; all.length < 102; ) {
      here.clock.advance({ seconds: 1 })
      const issued = await refreshGrant(here.app.ctx, { ...input, refreshToken })
      refreshToken = issued.refreshToken
      all.push(issued.accessToken)
    }
    const valid = await Promise.all(all.map((token) => isAccessTokenValid(here, token)))
    assert.deepEqual(valid, [false, false, ...Array(100).fill(true)])
  })

  test(`[${engine}] after a master key rotation a spent refresh token still returns the current one`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    const second = tokensOf(await client.refresh(first.refresh_token))
    const keys = here.app.ctx.keyring
    const rotated = new Keyring([{ kid: 200, secret: new Uint8Array(32).fill(7) }, keys.current])
    const ctx = { ...here.app.ctx, keyring: rotated }
    const input = {
      clientId: client.id,
      refreshToken: first.refresh_token,
      scope: undefined,
      resource: undefined,
    }
    assert.equal((await refreshGrant(ctx, input)).refreshToken, second.refresh_token)
  })

  test(`[${engine}] with AGENT_REFRESH_GRACE_SECONDS=0 the second use of a refresh token revokes the grant`, async (t) => {
    const here = await world(t, { engine, env: { AGENT_REFRESH_GRACE_SECONDS: '0' } })
    const client = await OAuthClient.register(here)
    const first = await client.connect(here.browser())
    const second = tokensOf(await client.refresh(first.refresh_token))
    assertOAuthError(await client.refresh(first.refresh_token), 400, 'invalid_grant')
    assert.equal(await isAccessTokenValid(here, second.access_token), false)
  })

  // proves ASVS 10.4.8
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
    const spent = tokens.refresh_token
    tokens = tokensOf(await client.refresh(spent))
    assert.equal(tokens.expires_in, 60, 'the last access token ends with the year')
    here.clock.advance({ minutes: 1 })
    assert.equal(await isAccessTokenValid(here, tokens.access_token), false)
    for (const token of [spent, tokens.refresh_token]) {
      assertOAuthError(await client.refresh(token), 400, 'invalid_grant')
    }

    const late = await client.connect(here.browser())
    here.clock.advance({ days: 30 })
    assertOAuthError(await client.refresh(late.refresh_token), 400, 'invalid_grant')
  })
}

// proves RFC 9700 2.3
test('a refresh may request fewer scopes for one access token, and never more', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const first = await client.connect(here.browser(), {
    scope: 'mcp:tenants:create mcp:tenant:read',
  })
  for (const wider of [ALL_SCOPES, 'mcp:tenant:read mcp:feedback:write', 'unknown']) {
    assertOAuthError(
      await client.refresh(first.refresh_token, { scope: wider }),
      400,
      'invalid_scope',
    )
  }
  const narrow = tokensOf(
    await client.refresh(first.refresh_token, { scope: 'mcp:tenant:read offline_access' }),
  )
  assert.equal(narrow.scope, 'mcp:tenant:read')
  assert.deepEqual((await authenticateBearer(here.app.ctx, narrow.access_token)).scopes, [
    'mcp:tenant:read',
  ])
  const repeated = tokensOf(await client.refresh(first.refresh_token))
  assert.equal(
    repeated.scope,
    'mcp:tenants:create mcp:tenant:read',
    'a repeat has the scopes that it requests',
  )
  const whole = tokensOf(await client.refresh(narrow.refresh_token))
  assert.equal(whole.scope, 'mcp:tenants:create mcp:tenant:read')
})

test('a refresh rejected for its client, resource or scope does not consume the token', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const other = await OAuthClient.register(here)
  const { refresh_token } = await client.connect(here.browser())
  assertOAuthError(
    await client.refresh(refresh_token, { client_id: other.id }),
    400,
    'invalid_grant',
  )
  assertOAuthError(
    await client.refresh(refresh_token, { client_id: undefined }),
    401,
    'invalid_client',
  )
  assertOAuthError(
    await client.refresh(refresh_token, { resource: 'https://x.example' }),
    400,
    'invalid_target',
  )
  assertOAuthError(await client.refresh('', {}), 400, 'invalid_request')
  assertOAuthError(await client.refresh(`${refresh_token}A`), 400, 'invalid_grant')
  assert.equal((await client.refresh(refresh_token)).status, 200)
  assertOAuthError(
    await client.refresh(refresh_token, { client_id: other.id }),
    400,
    'invalid_grant',
  )
})
