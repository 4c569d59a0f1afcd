import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { assertOAuthError, OAuthClient, REDIRECT } from '../support/actors/oauth-client.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] an internal error is a 500 in the format of REST, OAuth or pages, and its cause appears only in the log`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, logLines } = here
    const tenant = await agent.createTenant()
    const client = await OAuthClient.register(here)
    const tokens = await client.connect(browser())
    const { refresh_token } = await tenant.signIn(browser())
    // A missing table is an internal error: no operation handles it, and it is not an outage.
    const tables = ['tenant_keys', 'counters', 'sessions', 'oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens']
    for (const table of tables) {
      await raw(databaseOf(here), `alter table ${table} rename to missing_${table}`)
    }

    const responses = [
      await tenant.manage('GET', '/api/resources'),
      await agent.call('POST', '/api/genesis'),
      await tenant.edge('refresh', { refresh_token }),
    ]
    for (const response of responses) assert.equal(assertApiError(response, 'internalError'), undefined)
    const inOAuth = [
      await agent.call('POST', '/oauth/register', { body: { redirect_uris: [REDIRECT] } }),
      await agent.call('GET', client.authorizeUrl()),
      await client.refresh(tokens.refresh_token),
      await client.revoke(tokens.access_token),
    ]
    for (const response of inOAuth) assertOAuthError(response, 500, 'server_error')
    const user = browser()
    await user.open(tenant.loginUrl)
    assert.equal(user.page.status, 500)

    const failures = logLines.filter((line) => line.includes('"level":50'))
    const allResponses = [...responses, ...inOAuth, user.page]
    assert.equal(failures.length, allResponses.length, 'one log line per response')
    for (const { headers, text } of allResponses) {
      const id = headers.get('x-request-id') ?? 'none'
      assert.ok(
        failures.some((line) => line.includes(id) && /no such table|does not exist/.test(line)),
        id,
      )
      assert.doesNotMatch(text, /tenant_keys|counters|sessions|oauth_|relation|table|\.ts\b/)
    }
  })
}
