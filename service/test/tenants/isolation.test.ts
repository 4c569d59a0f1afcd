import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, OAUTH_ENDPOINTS, TOOL_NAMES } from '@gatehouse-auth/contract'
import { TrieRouter } from 'hono/router/trie-router'
import { pathOf as addressOf } from '../../src/http/console/paths.ts'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import { shownError } from '../support/actors/browser.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { postForm } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'
import {
  ENDPOINT_REQUESTS,
  FORMS,
  PAGES,
  TOKEN_REQUESTS,
  TOOL_CALLS,
  WITHOUT_GRANTS,
} from './isolation-requests.ts'
import { isolationScene, type Scene } from './isolation-scene.ts'

// Two tenants with two owners and two clients. The intruder sends every kind of request with its own credentials and the
// victim's ids.

function assertNothingDisclosed(
  what: string,
  text: string,
  { canaries }: Scene,
  mayDisclose: readonly string[] = [],
): void {
  for (const canary of canaries.filter((each) => !mayDisclose.includes(each))) {
    assert.ok(!text.includes(canary), `${what} discloses ${canary.slice(0, 24)}`)
  }
}

async function tryEveryEndpoint(scene: Scene): Promise<void> {
  const { service } = scene
  for (const endpoint of ENDPOINTS) {
    const requests = ENDPOINT_REQUESTS[endpoint.id](scene)
    assert.ok(requests.length > 0, endpoint.id)
    for (const { params = {}, query = '', options = {}, outcome, mayDisclose } of requests) {
      const response = await service.agent.call(
        endpoint.method,
        pathOf(endpoint, params) + query,
        options,
      )
      const what = `${endpoint.id}${query} → ${response.status}`
      assert.ok(response.status < 500, `${what} ${response.text}`)
      if (outcome === 'rejected') {
        assert.ok(response.status >= 400, `${what} ${response.text}`)
      }
      assert.notEqual(response.json?.valid, true, what)
      const headers = JSON.stringify([...response.headers])
      assertNothingDisclosed(what, response.text + headers, scene, mayDisclose)
    }
  }
}

async function tryEveryTool(scene: Scene): Promise<void> {
  const { service, intruder } = scene
  const wire = new RawMcpClient(service.agent)
  for (const name of TOOL_NAMES) {
    for (const { caller, args } of TOOL_CALLS[name](scene)) {
      const options = caller === 'account' ? { token: intruder.tokens.access_token } : {}
      const response = await wire.request('tools/call', { name, arguments: args }, options)
      assert.equal(response.json.result?.isError, true, `${name}: ${response.text}`)
      assertNothingDisclosed(name, response.text, scene)
    }
  }
}

async function tryEveryTokenEndpoint(scene: Scene): Promise<void> {
  const { service, intruder } = scene
  for (const form of TOKEN_REQUESTS.exchangeToken(scene)) {
    assert.equal((await postForm(service, '/oauth/token', form)).json.error, 'invalid_grant')
  }
  for (const form of TOKEN_REQUESTS.revokeToken(scene)) {
    const response = await postForm(service, '/oauth/revoke', form)
    assert.deepEqual(
      [response.status, response.json],
      [200, {}],
      'the response for an unknown token',
    )
  }
  assert.equal(await isAccessTokenValid(service, intruder.tokens.access_token), true)
}

async function tryEveryPage(scene: Scene): Promise<void> {
  const { service, victim, intruder } = scene
  const { browser } = intruder
  await browser.open(`${service.baseUrl}/account`)
  const csrf = csrfOf(browser)
  assert.ok(csrf.length > 20)
  const request = async (route: string, fields?: Readonly<Record<string, string>>) => {
    const path = addressOf(route)(victim.tenant.id, victim.userId)
    const body = fields && { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) }
    const sent = await browser.request(service.baseUrl + path, {
      headers: { Accept: 'text/html' },
      ...body,
    })
    const response = await shownError(browser, sent)
    if (route.includes(':tenantId')) {
      assert.equal(response.status, 404, path)
    }
    assertNothingDisclosed(path, await response.text(), scene)
  }
  for (const route of PAGES) {
    await request(route)
  }
  // The forms that end the intruder's own session come last.
  const forms = Object.entries(FORMS).sort(([a], [b]) => rank(a) - rank(b))
  for (const [route, fields] of forms) {
    await request(route, fields(scene))
  }
}

const rank = (route: string): number => (route.includes('sign-out') ? 1 : 0)

for (const engine of ENGINES) {
  // proves S006, S037, S090, RFC 9700 4.9
  test(`[${engine}] no credential of one tenant, owner or client reads or changes anything of another tenant`, {
    skip: slow,
  }, async (t) => {
    const scene = await isolationScene(t, engine)
    const { service, victim, intruder } = scene
    const before = await scene.victimsRows()
    const filled = Object.entries(before).filter(([, rows]) => rows.length > 0)
    assert.ok(
      filled.length >= 12,
      `the victim has rows in too few tables: ${filled.map(([table]) => table).join()}`,
    )

    await tryEveryEndpoint(scene)
    await tryEveryTool(scene)
    await tryEveryTokenEndpoint(scene)
    const download = await intruder.browser.request(
      `${service.baseUrl}/mcp/tenants/${victim.tenant.id}/credentials`,
    )
    assert.equal(download.status, 404)
    await tryEveryPage(scene)

    assert.deepEqual(await scene.victimsRows(), before, 'every row of the victim is unchanged')
    service.clock.advance({ minutes: 1 })
    assert.equal((await victim.tenant.users()).length, 2)
    assert.equal(
      (await victim.tenant.edge('refresh', { refresh_token: victim.pair.refresh_token })).status,
      200,
    )
  })
}

// proves S037
test('the isolation test covers every endpoint, tool, page, form and grant', async (t) => {
  const { mock } = t.mock.method(TrieRouter.prototype, 'add')
  const { agent } = await world(t)
  // The first request loads the routes.
  await agent.call('GET', '/')
  const accountRoutes = (wanted: string) =>
    mock.calls.flatMap(({ arguments: [method, route] }) =>
      method === wanted && /^\/account(\/|$)/.test(route) ? [route] : [],
    )
  assert.deepEqual(Object.keys(ENDPOINT_REQUESTS).sort(), ENDPOINTS.map(({ id }) => id).sort())
  assert.deepEqual(Object.keys(TOOL_CALLS).sort(), [...TOOL_NAMES].sort())
  assert.deepEqual([...PAGES].sort(), [...new Set(accountRoutes('GET'))].sort())
  assert.deepEqual(Object.keys(FORMS).sort(), [...new Set(accountRoutes('POST'))].sort())
  assert.deepEqual(
    [...Object.keys(TOKEN_REQUESTS), ...WITHOUT_GRANTS].sort(),
    OAUTH_ENDPOINTS.map(({ id }) => id).sort(),
  )
})
