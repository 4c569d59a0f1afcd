import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HandledRequest } from '../../src/http/dependencies.ts'
import { failedRequestHandler } from '../../src/http/server/failed-request.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { assertOAuthError, OAuthClient, REDIRECT } from '../support/actors/oauth-client.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { listen } from '../support/transport/listen.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C153
  test(`[${engine}] an internal error is a 500 in the format of REST, OAuth or pages, and its cause appears only in the log`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, logLines } = here
    const tenant = await agent.createTenant()
    const client = await OAuthClient.register(here)
    const tokens = await client.connect(browser())
    const { refresh_token } = await tenant.signIn(browser())
    // A missing table is an internal error: no operation handles it, and it is not an outage.
    const tables = [
      'tenant_keys',
      'counters',
      'sessions',
      'oauth_codes',
      'oauth_access_tokens',
      'oauth_refresh_tokens',
    ]
    for (const table of tables) {
      await raw(databaseOf(here), `alter table ${table} rename to missing_${table}`)
    }

    const responses = [
      await tenant.manage('GET', '/api/resources'),
      await agent.call('POST', '/api/genesis'),
      await tenant.edge('refresh', { refresh_token }),
    ]
    for (const response of responses) {
      assert.equal(assertApiError(response, 'internalError'), undefined)
    }
    const inOAuth = [
      await agent.call('POST', '/oauth/register', { body: { redirect_uris: [REDIRECT] } }),
      await agent.call('GET', client.authorizeUrl()),
      await client.refresh(tokens.refresh_token),
      await client.revoke(tokens.access_token),
    ]
    for (const response of inOAuth) {
      assertOAuthError(response, 500, 'server_error')
    }
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

test('an exception outside the framework is a 500 with the id of its log line; a response that has begun is cut off', async (t) => {
  const logged: string[] = []
  const recorded: HandledRequest[] = []
  const log = {
    warn: () => assert.fail('no warning'),
    error: (line: string) => void logged.push(line),
  }
  const fail = failedRequestHandler(
    'http://localhost',
    log,
    (request) => void recorded.push(request),
  )
  const { port } = await listen(t, (req, res) => {
    if (req.url === '/begun') {
      res.write('the beginning')
    }
    fail(req, res, new Error('secret'), '/route')
  })
  const response = await fetch(`http://127.0.0.1:${port}/`)
  const { error } = (await response.json()) as { error: { code: string; request_id: string } }
  assert.deepEqual([response.status, error.code], [500, 'internalError'])
  assert.deepEqual(logged, [`${error.request_id} /route: uncaught error`])
  assert.deepEqual(
    recorded.map(({ requestId, status, route }) => [requestId, status, route]),
    [[error.request_id, 500, '/route']],
  )
  await assert.rejects(fetch(`http://127.0.0.1:${port}/begun`).then((begun) => begun.text()))
  assert.equal(logged.length, 2)
})
