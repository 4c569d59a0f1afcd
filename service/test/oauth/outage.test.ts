import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { authenticateBearer } from '../../src/operations/oauth/tokens.ts'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import {
  assertOAuthError,
  OAuthClient,
  REDIRECT,
  tokensOf,
} from '../support/actors/oauth-client.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

async function outageSetup(t: TestContext) {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, { engine: 'postgres', env: { DATABASE_URL: proxy.url } })
  return { here, proxy, client: await OAuthClient.register(here), user: here.browser() }
}

test('while the database is unavailable OAuth returns 503, rejects no token as invalid and consumes nothing', {
  skip: sqliteOnly,
}, async (t) => {
  const { here, proxy, client, user } = await outageSetup(t)
  const tokens = await client.connect(user)
  const code = await client.code(user)
  await client.open(user)
  const { page } = user

  proxy.cut()
  for (const response of [
    await client.exchange(code),
    await client.refresh(tokens.refresh_token),
    await client.revoke(tokens.access_token),
    await here.agent.call('POST', '/oauth/register', { body: { redirect_uris: [REDIRECT] } }),
    await here.agent.call('GET', client.authorizeUrl()),
  ]) {
    assertOAuthError(response, 503, 'temporarily_unavailable')
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(response.headers.get('www-authenticate'), null)
  }
  await assert.rejects(authenticateBearer(here.app.ctx, tokens.access_token), Unavailable)
  assert.equal(
    await isAccessTokenValid(here, 'garbage'),
    false,
    'a malformed token needs no database',
  )
  await user.press('Allow')
  assert.equal(user.page.status, 503)
  assert.equal(
    (await here.agent.call('GET', '/.well-known/oauth-authorization-server')).status,
    200,
  )

  proxy.heal()
  await waitUntil(
    'the service is ready',
    async () => (await here.agent.call('GET', '/readyz')).status === 200,
  )
  assert.equal(
    await isAccessTokenValid(here, tokens.access_token),
    true,
    'an unconfirmed revocation has no effect',
  )
  assert.equal((await client.exchange(code)).status, 200)
  assert.equal((await client.refresh(tokens.refresh_token)).status, 200)
  await user.open(page.url)
  client.codeIn(await user.press('Allow'))
})

// A 503 here would make the client repeat a consumed token, which counts as a replay and revokes the grant.
test('a token pair whose commit acknowledgement was lost is returned, and only a real replay revokes the grant', {
  skip: sqliteOnly,
}, async (t) => {
  const { here, proxy, client, user } = await outageSetup(t)
  const code = await client.code(user)
  proxy.loseNextCommit()
  const first = tokensOf(await client.exchange(code))
  proxy.loseNextCommit()
  const second = tokensOf(await client.refresh(first.refresh_token))
  assert.deepEqual(
    [
      await isAccessTokenValid(here, first.access_token),
      await isAccessTokenValid(here, second.access_token),
    ],
    [true, true],
  )
  tokensOf(await client.refresh(second.refresh_token))
  here.clock.advance({ minutes: 11 })
  assertOAuthError(await client.refresh(first.refresh_token), 400, 'invalid_grant')
  assert.equal(
    await isAccessTokenValid(here, second.access_token),
    false,
    'a real replay revokes the grant',
  )
})
