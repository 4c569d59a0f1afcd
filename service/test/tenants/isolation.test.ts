import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, OAUTH_ENDPOINTS, TOOL_NAMES } from '@gatehouse/contract'
import { accountPaths } from '../../src/http/account/paths.ts'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { postForm } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { AT_ENDPOINTS, AT_PAGES, AT_TOKENS, AT_TOOLS, WITHOUT_GRANTS } from './isolation-requests.ts'
import { isolationScene, type Scene } from './isolation-scene.ts'

// Two tenants, two owners, two clients. One of them tries everything that there is with what it has, on the other.

function assertNothingPublished(what: string, text: string, { canaries }: Scene, tells: readonly string[] = []): void {
  for (const canary of canaries.filter((each) => !tells.includes(each)))
    assert.ok(!text.includes(canary), `${what} tells ${canary.slice(0, 24)}`)
}

async function atEveryEndpoint(scene: Scene): Promise<void> {
  const { service } = scene
  for (const endpoint of ENDPOINTS) {
    const attempts = AT_ENDPOINTS[endpoint.id](scene)
    assert.ok(attempts.length > 0, endpoint.id)
    for (const { params = {}, query = '', options = {}, ends, tells } of attempts) {
      const response = await service.agent.call(endpoint.method, pathOf(endpoint, params) + query, options)
      const what = `${endpoint.id}${query} → ${response.status}`
      assert.ok(response.status < 500, `${what} ${response.text}`)
      if (ends === 'refused') assert.ok(response.status >= 400, `${what} ${response.text}`)
      assert.notEqual(response.json?.valid, true, what)
      const headers = JSON.stringify([...response.headers])
      assertNothingPublished(what, response.text + headers, scene, tells)
    }
  }
}

async function atEveryTool(scene: Scene): Promise<void> {
  const { service, intruder } = scene
  const wire = new RawMcpClient(service.agent)
  for (const name of TOOL_NAMES) {
    for (const { caller, args } of AT_TOOLS[name](scene)) {
      const options = caller === 'account' ? { token: intruder.tokens.access_token } : {}
      const response = await wire.request('tools/call', { name, arguments: args }, options)
      assert.equal(response.json.result?.isError, true, `${name}: ${response.text}`)
      assertNothingPublished(name, response.text, scene)
    }
  }
}

async function atEveryTokenEndpoint(scene: Scene): Promise<void> {
  const { service, intruder } = scene
  for (const form of AT_TOKENS.exchangeToken(scene)) {
    assert.equal((await postForm(service, '/oauth/token', form)).json.error, 'invalid_grant')
  }
  for (const form of AT_TOKENS.revokeToken(scene)) {
    const response = await postForm(service, '/oauth/revoke', form)
    assert.deepEqual([response.status, response.text], [200, ''], 'as if there were no such token')
  }
  assert.equal(await isAccessTokenValid(service, intruder.tokens.access_token), true)
}

async function onEveryPage(scene: Scene): Promise<void> {
  const { service, victim, intruder } = scene
  const { browser } = intruder
  // The pages that end the intruder's own session come last.
  const names = (Object.keys(accountPaths) as (keyof typeof accountPaths)[]).sort((a, b) => rank(a) - rank(b))
  await browser.open(`${service.baseUrl}/account`)
  const csrf = csrfOf(browser)
  assert.ok(csrf.length > 20)
  for (const name of names) {
    const at = accountPaths[name]
    const { fields } = AT_PAGES[name](scene)
    const path = typeof at === 'string' ? at : at(victim.tenant.id)
    const body = fields && { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) }
    const response = await browser.request(service.baseUrl + path, { headers: { Accept: 'text/html' }, ...body })
    if (typeof at !== 'string') assert.equal(response.status, 404, path)
    assertNothingPublished(path, await response.text(), scene)
  }
}

const rank = (name: string): number => (name.startsWith('signOut') ? 1 : 0)

for (const engine of ENGINES) {
  test(`[${engine}] no credential of one tenant, owner or client reads or changes anything of another tenant`, {
    skip: slow,
  }, async (t) => {
    const scene = await isolationScene(t, engine)
    const { service, victim, intruder } = scene
    const before = await scene.victimsRows()
    const filled = Object.entries(before).filter(([, rows]) => rows.length > 0)
    assert.ok(filled.length >= 12, `a victim with so little shows little: ${filled.map(([table]) => table).join()}`)

    await atEveryEndpoint(scene)
    await atEveryTool(scene)
    await atEveryTokenEndpoint(scene)
    const download = await intruder.browser.request(`${service.baseUrl}/mcp/tenants/${victim.tenant.id}/credentials`)
    assert.equal(download.status, 404)
    await onEveryPage(scene)

    assert.deepEqual(await scene.victimsRows(), before, 'every row of the victim is as it was')
    service.clock.advance({ minutes: 1 })
    assert.equal((await victim.tenant.users()).length, 1)
    assert.equal((await victim.tenant.edge('refresh', { refresh_token: victim.pair.refresh_token })).status, 200)
  })
}

test('the isolation test covers every endpoint, tool, page and grant', () => {
  assert.deepEqual(Object.keys(AT_ENDPOINTS).sort(), ENDPOINTS.map(({ id }) => id).sort())
  assert.deepEqual(Object.keys(AT_TOOLS).sort(), [...TOOL_NAMES].sort())
  assert.deepEqual(Object.keys(AT_PAGES).sort(), Object.keys(accountPaths).sort())
  assert.deepEqual([...Object.keys(AT_TOKENS), ...WITHOUT_GRANTS].sort(), OAUTH_ENDPOINTS.map(({ id }) => id).sort())
})
