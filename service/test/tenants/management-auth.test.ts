import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallOptions } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const authorization = (value: string): CallOptions => ({ headers: { Authorization: value } })

for (const engine of ENGINES) {
  // proves C154
  test(`[${engine}] the Bearer scheme is case-insensitive, and a management key is valid for its own tenant only`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const [one, other] = [await agent.createTenant(), await agent.createTenant()]
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await agent.call('GET', '/api/status', authorization(`${scheme} ${one.key}`))
      assert.equal(response.json.tenant_id, one.id)
    }
    await one.signIn(browser())
    const [user] = await one.users()
    assertApiError(await other.manage('GET', `/api/social-login/users/${user?.id}`), 'userNotFound')
    assert.deepEqual([await other.users(), await other.eventKinds()], [[], []])
    assert.equal((await other.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.equal((await one.users()).length, 1)
    assert.deepEqual(await one.eventKinds(), ['login_started', 'authorize'])
  })
}

// proves C175
test('every error links to its documentation, and every response names the API version', {
  skip: slow,
}, async (t) => {
  const { agent, baseUrl } = await world(t)
  const tenant = await agent.createTenant(null)
  const responses = [
    await agent.call('GET', '/api/status'),
    await agent.call('GET', '/api/status', { key: 'x' }),
    await agent.call('GET', '/api/status', { key: tenant.applicationKey }),
    await tenant.manage('GET', '/api/status?x=1'),
    await tenant.manage('GET', '/api/social-login/users'),
    await tenant.manage('GET', '/api/nothing'),
    await tenant.manage('PUT', '/api/status'),
    await tenant.manage('POST', '/api/resources', '{'),
    await agent.call('POST', '/api/resources', {
      key: tenant.key,
      body: '{}',
      headers: { 'Content-Type': 'a/b' },
    }),
    await tenant.manage('POST', '/api/resources', 'x'.repeat(70_000)),
    await tenant.edge('verify', { access_token: '' }),
    await agent.call('GET', '/edge/auth/no-such-tenant/google'),
    await agent.call('GET', '/edge/session'),
    await agent.call('GET', '/edge'),
    await agent.call('GET', '/api'),
    await agent.call('POST', '/api/genesis', { headers: { 'User-Agent': 'curl/8' } }),
  ]
  const ids = new Set<string>()
  for (const response of responses) {
    const { code, docs_url, request_id } = response.json.error
    assertApiError(response, code)
    ids.add(request_id)
    const [page = '', anchor] = docs_url.split('#')
    assert.ok(page.startsWith(baseUrl))
    const explained = await agent.call('GET', new URL(page).pathname)
    assert.equal(explained.status, 200)
    assert.ok(explained.text.includes(`id="${anchor}"`), anchor)
  }
  assert.equal(ids.size, responses.length, 'each request has a unique id')

  for (const success of [
    await agent.call('GET', '/api/status', {
      key: tenant.key,
      headers: { 'X-Request-Id': 'mine' },
    }),
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
  ]) {
    assert.equal(success.status, 200)
    assert.equal(success.headers.get('api-version'), '1')
    assert.match(success.headers.get('x-request-id') ?? '', /^[\w-]{16}$/)
  }
})
