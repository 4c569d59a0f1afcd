import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiErrorCode, ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import type { CallOptions, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { world } from '../support/world.ts'

const MANAGED: readonly Endpoint[] = ENDPOINTS.filter(({ auth }) => auth === 'management')

const authorization = (value: string): CallOptions => ({ headers: { Authorization: value } })

/** Invalid credentials and the error code of each. */
const invalidCredentials = (
  { key, applicationKey }: Tenant,
  foreign: string,
): [string, CallOptions, ApiErrorCode][] => [
  ['nothing', {}, 'missingCredentials'],
  ['an empty header', authorization(''), 'missingCredentials'],
  ['Bearer and no key', authorization('Bearer '), 'missingCredentials'],
  [
    'Basic',
    authorization(`Basic ${Buffer.from(`user:${key}`).toString('base64')}`),
    'missingCredentials',
  ],
  ['the key without Bearer', authorization(key), 'missingCredentials'],
  ['garbage', { key: 'garbage' }, 'invalidCredentials'],
  ['the prefix alone', { key: 'svc_man_' }, 'invalidCredentials'],
  ['two words', authorization(`Bearer ${key} ${key}`), 'invalidCredentials'],
  ['quotes', authorization(`Bearer "${key}"`), 'invalidCredentials'],
  ['lower case', { key: key.toLowerCase() }, 'invalidCredentials'],
  ['upper case', { key: key.toUpperCase() }, 'invalidCredentials'],
  ['a truncated key', { key: key.slice(0, -1) }, 'invalidCredentials'],
  ['a key with something after it', { key: `${key}A` }, 'invalidCredentials'],
  [
    'one character changed',
    { key: key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) },
    'invalidCredentials',
  ],
  ['a key of another service', { key: foreign }, 'invalidCredentials'],
  [
    'the other prefix on our key',
    { key: key.replace('svc_man_', 'svc_app_') },
    'invalidCredentials',
  ],
  ['the application key', { key: applicationKey }, 'wrongKeyKind'],
]

// proves C025, C101
test("every management endpoint rejects a request without the tenant's management key", {
  skip: slow,
}, async (t) => {
  const { agent, browser, logLines } = await world(t)
  const elsewhere = await world(t)
  const foreign = (await elsewhere.agent.createTenant(null)).key
  const tenant = await agent.createTenant()
  await tenant.signIn(browser())
  const before = await tenant.status()
  assert.ok(MANAGED.length >= 8)

  for (const [index, endpoint] of MANAGED.entries()) {
    // Every case at the first endpoint, one case for each error code at the others.
    const all = invalidCredentials(tenant, foreign)
    const first = all.filter(([, , code], at) => all.findIndex((other) => other[2] === code) === at)
    for (const [what, options, code] of index === 0 ? all : first) {
      const body = endpoint.method === 'POST' ? { body: '{"not": "parsed' } : {}
      const response = await agent.call(endpoint.method, pathOf(endpoint), {
        ...options,
        ...body,
      })
      assert.equal(
        response.json?.error?.code,
        code,
        `${endpoint.id} with ${what}: ${response.status} ${response.text}`,
      )
      assert.equal(assertApiError(response, code), undefined)
      assert.ok(
        !response.text.includes(tenant.key) && !response.text.includes(tenant.applicationKey),
      )
    }
  }
  assert.deepEqual(await tenant.status(), before)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  assert.ok(!logLines.join('').includes('"level":50'), 'none of this is logged as an error')
})

// proves C102, C106
test('a management key in the URL, the body or another header is ignored', async (t) => {
  const { agent } = await world(t)
  const { key } = await agent.createTenant()
  for (const name of ['key', 'access_token', 'coh_management_key', 'token', 'authorization']) {
    assertApiError(await agent.call('GET', `/api/status?${name}=${key}`), 'missingCredentials')
    assertApiError(
      await agent.call('POST', '/api/resources/social-login', {
        body: { [name]: key, callback_urls: ['https://evil.example/cb'] },
      }),
      'missingCredentials',
    )
  }
  for (const header of ['X-Api-Key', 'Cookie', 'Proxy-Authorization']) {
    assertApiError(
      await agent.call('GET', '/api/status', { headers: { [header]: key } }),
      'missingCredentials',
    )
  }
  const { json } = await agent.call('GET', '/api/resources', { key })
  assert.deepEqual(json.resources[0].callback_urls, ['https://app.example.com/callback'])
})

test('the response time does not distinguish a malformed key from an unknown one', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  const elsewhere = await world(t)
  const tenant = await agent.createTenant()
  const presented: readonly string[] = [
    'garbage',
    tenant.key.toLowerCase(),
    tenant.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    (await elsewhere.agent.createTenant(null)).key,
    tenant.applicationKey,
  ]
  const fastest = presented.map(() => Number.POSITIVE_INFINITY)
  let rounds = 0
  // Interleaved, so that other load on the machine affects all cases alike. The minimum of each case excludes that load, but
  // not a systematic difference.
  await waitUntil('the fastest rejections of each kind are within 5 ms of each other', async () => {
    for (const [index, key] of presented.entries()) {
      const began = performance.now()
      const { status } = await agent.call('GET', '/api/social-login/users/1', { key })
      fastest[index] = Math.min(fastest[index] ?? 0, performance.now() - began)
      assert.ok(status === 401 || status === 403, String(status))
    }
    rounds += 1
    return rounds >= 25 && Math.max(...fastest) - Math.min(...fastest) < 5
  })
})
