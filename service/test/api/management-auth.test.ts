import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, type RefusalCode } from '@gatehouse/contract'
import type { CallOptions, Tenant } from '../support/agent.ts'
import { pathOf } from '../support/endpoints.ts'
import { ENGINES } from '../support/engines.ts'
import { assertRefused } from '../support/refused.ts'
import { world } from '../support/world.ts'

const MANAGED: readonly Endpoint[] = ENDPOINTS.filter(({ auth }) => auth === 'management')

const authorization = (value: string): CallOptions => ({ headers: { Authorization: value } })

/** How a caller gets it wrong, and what each hears. */
const wrongs = ({ key, applicationKey }: Tenant, foreign: string): [string, CallOptions, RefusalCode][] => [
  ['nothing', {}, 'missingCredentials'],
  ['an empty header', authorization(''), 'missingCredentials'],
  ['Bearer and no key', authorization('Bearer '), 'missingCredentials'],
  ['Basic', authorization(`Basic ${Buffer.from(`user:${key}`).toString('base64')}`), 'missingCredentials'],
  ['the key without Bearer', authorization(key), 'missingCredentials'],
  ['garbage', { key: 'garbage' }, 'invalidCredentials'],
  ['the prefix alone', { key: 'svc_man_' }, 'invalidCredentials'],
  ['two words', authorization(`Bearer ${key} ${key}`), 'invalidCredentials'],
  ['quotes', authorization(`Bearer "${key}"`), 'invalidCredentials'],
  ['lower case', { key: key.toLowerCase() }, 'invalidCredentials'],
  ['upper case', { key: key.toUpperCase() }, 'invalidCredentials'],
  ['a truncated key', { key: key.slice(0, -1) }, 'invalidCredentials'],
  ['a key with something after it', { key: `${key}A` }, 'invalidCredentials'],
  ['one character changed', { key: key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) }, 'invalidCredentials'],
  ['a key of another service', { key: foreign }, 'invalidCredentials'],
  ['the other prefix on our key', { key: key.replace('svc_man_', 'svc_app_') }, 'invalidCredentials'],
  ['the application key', { key: applicationKey }, 'wrongKeyKind'],
]

for (const engine of ENGINES) {
  test(`[${engine}] without this tenant's management key no endpoint under /api does anything`, async (t) => {
    const { agent, browser, logLines } = await world(t, { engine })
    const elsewhere = await world(t, { engine })
    const foreign = (await elsewhere.agent.createTenant(null)).key
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const before = await tenant.status()
    assert.ok(MANAGED.length >= 8)

    for (const [index, endpoint] of MANAGED.entries()) {
      // Every mistake at one endpoint; at the others one of each kind.
      const all = wrongs(tenant, foreign)
      const first = all.filter(([, , code], at) => all.findIndex((other) => other[2] === code) === at)
      for (const [what, options, code] of index === 0 ? all : first) {
        const body = endpoint.method === 'POST' ? { body: '{"not": "even looked at' } : {}
        const answer = await agent.call(endpoint.method, pathOf(endpoint), { ...options, ...body })
        assert.equal(answer.json?.error?.code, code, `${endpoint.id} with ${what}: ${answer.status} ${answer.text}`)
        assert.equal(assertRefused(answer, code), undefined)
        assert.ok(!answer.text.includes(tenant.key) && !answer.text.includes(tenant.applicationKey))
      }
    }
    assert.deepEqual(await tenant.status(), before)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    assert.ok(!logLines.join('').includes('"level":50'), 'nothing of this is an error of ours')
  })

  test(`[${engine}] a key in the address or the body opens nothing`, async (t) => {
    const { agent } = await world(t, { engine })
    const { key } = await agent.createTenant()
    for (const name of ['key', 'access_token', 'coh_management_key', 'token', 'authorization']) {
      assertRefused(await agent.call('GET', `/api/status?${name}=${key}`), 'missingCredentials')
      assertRefused(
        await agent.call('POST', '/api/resources/social-login', {
          body: { [name]: key, callback_urls: ['https://evil.example/cb'] },
        }),
        'missingCredentials',
      )
    }
    for (const header of ['X-Api-Key', 'Cookie', 'Proxy-Authorization']) {
      assertRefused(await agent.call('GET', '/api/status', { headers: { [header]: key } }), 'missingCredentials')
    }
    const { json } = await agent.call('GET', '/api/resources', { key })
    assert.deepEqual(json.resources[0].callback_urls, ['https://app.example.com/callback'])
  })

  test(`[${engine}] the scheme is Bearer in any case, and a key is good for its own tenant only`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const [one, other] = [await agent.createTenant(), await agent.createTenant()]
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await agent.call('GET', '/api/status', authorization(`${scheme} ${one.key}`))
      assert.equal(answer.json.tenant_id, one.id)
    }
    await one.signIn(browser())
    const [user] = await one.users()
    assertRefused(await other.manage('GET', `/api/social-login/users/${user?.id}`), 'userNotFound')
    assert.deepEqual([await other.users(), await other.eventKinds()], [[], []])
    assert.equal((await other.manage('DELETE', '/api/resources/social-login')).status, 200)
    assert.equal((await one.users()).length, 1)
    assert.deepEqual(await one.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] every error names a page that explains it, and every answer names the version`, async (t) => {
    const { agent, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant(null)
    const answers = [
      await agent.call('GET', '/api/status'),
      await agent.call('GET', '/api/status', { key: 'x' }),
      await agent.call('GET', '/api/status', { key: tenant.applicationKey }),
      await tenant.manage('GET', '/api/status?x=1'),
      await tenant.manage('GET', '/api/social-login/users'),
      await tenant.manage('GET', '/api/nothing'),
      await tenant.manage('PUT', '/api/status'),
      await tenant.manage('POST', '/api/resources', '{'),
      await agent.call('POST', '/api/resources', { key: tenant.key, body: '{}', headers: { 'Content-Type': 'a/b' } }),
      await tenant.manage('POST', '/api/resources', 'x'.repeat(70_000)),
      await tenant.edge('verify', { access_token: '' }),
      await agent.call('GET', '/edge/auth/no-such-tenant/google'),
      await agent.call('GET', '/edge/session'),
      await agent.call('GET', '/edge'),
      await agent.call('GET', '/api'),
      await agent.call('POST', '/api/genesis', { headers: { 'User-Agent': 'curl/8' } }),
    ]
    const ids = new Set<string>()
    for (const answer of answers) {
      const { code, docs_url, request_id } = answer.json.error
      assertRefused(answer, code)
      ids.add(request_id)
      const [page = '', anchor] = docs_url.split('#')
      assert.ok(page.startsWith(baseUrl))
      const explained = await agent.call('GET', new URL(page).pathname)
      assert.equal(explained.status, 200)
      assert.ok(explained.text.includes(`id="${anchor}"`), anchor)
    }
    assert.equal(ids.size, answers.length, 'each request has an id of its own')

    for (const fine of [
      await agent.call('GET', '/api/status', { key: tenant.key, headers: { 'X-Request-Id': 'mine' } }),
      await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`),
    ]) {
      assert.equal(fine.status, 200)
      assert.equal(fine.headers.get('api-version'), '1')
      assert.match(fine.headers.get('x-request-id') ?? '', /^[\w-]{16}$/)
    }
  })
}
