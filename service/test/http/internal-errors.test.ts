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
    // Tables that are not there are what no operation expects, and no outage explains.
    for (const table of ['tenant_keys', 'counters', 'oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens']) {
      await raw(databaseOf(here), `alter table ${table} rename to gone_${table}`)
    }

    const responses = [await tenant.manage('GET', '/api/resources'), await agent.call('POST', '/api/genesis')]
    for (const response of responses) assert.equal(assertApiError(response, 'internalError'), undefined)
    const inOAuth = [
      await agent.call('POST', '/oauth/register', { body: { redirect_uris: [REDIRECT] } }),
      await agent.call('GET', client.authorizeUrl()),
      await client.refresh(tokens.refresh_token),
      await client.revoke(tokens.access_token),
    ]
    for (const response of inOAuth) assertOAuthError(response, 500, 'server_error')
    const person = browser()
    await person.open(tenant.loginUrl)
    assert.equal(person.page.status, 500)

    const failures = logLines.filter((line) => line.includes('"level":50'))
    const pendingEvents = [...responses, ...inOAuth, person.page]
    assert.equal(failures.length, pendingEvents.length, 'one line for each')
    for (const { headers, text } of pendingEvents) {
      const id = headers.get('x-request-id') ?? 'none'
      assert.ok(
        failures.some((line) => line.includes(id) && /no such table|does not exist/.test(line)),
        id,
      )
      assert.doesNotMatch(text, /tenant_keys|counters|oauth_|relation|table|\.ts\b/)
    }
  })
}
