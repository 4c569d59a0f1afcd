import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import {
  assertLoginStartRejected,
  assertLoginStarts,
  redirectUriQuery,
  startLogin,
} from '../support/actors/login-start.ts'
import { world } from '../support/world.ts'

const CALLBACKS = [
  'https://app.example.com/cb',
  'https://*.example.com/cb',
  'http://localhost:3000/cb',
]

/** Compared exactly, without decoding or resolution of dot segments; only the default port is optional. */
const REJECTED: Readonly<Record<string, readonly string[]>> = {
  'a registered host as its user name': [
    'https://app.example.com@evil.test/cb',
    'https://app.example.com:443@evil.test/cb',
    'https://app.example.com%40evil.test/cb',
    'https://app.example.com\\@evil.test/cb',
    'https://app.example.com%00@evil.test/cb',
    'https://app.example.com#@evil.test/cb',
    'https://app.example.com?@evil.test/cb',
  ],
  'a user name at a registered host': [
    'https://a@b@app.example.com/cb',
    'https://@app.example.com/cb',
    'https://@@app.example.com/cb',
    'https://:@app.example.com/cb',
    'https://user:word@app.example.com/cb',
    'http://evil.test@localhost:3000/cb',
  ],
  'a host with a registered prefix or suffix': [
    'https://evilexample.com/cb',
    'https://example.com.evil.test/cb',
    'https://app.example.com.evil.test/cb',
    'https://appXexample.com/cb',
    'https://app.example.com%2eevil.test/cb',
    'https://app.example.com\t.evil.test/cb',
    'https://evil.test/cb?.example.com/cb',
    'https://evil.test/https://app.example.com/cb',
    'https://evil.test\\.example.com/cb',
    'https://evil.test%23.example.com/cb',
    'https://evil.test%2f.example.com/cb',
    'http://localhost.evil.test:3000/cb',
    'http://localhost:3000.evil.test/cb',
  ],
  'more or less than one label for the wildcard': [
    'https://a.b.example.com/cb',
    'https://example.com/cb',
    'https://.example.com/cb',
    'https://evil/cb',
    'https://evil.example/cb',
    'https://evil.com/cb',
    'https://evil.example.com.example.com/cb',
    'https://*.example.com/cb',
    'https://%2a.example.com/cb',
    'https://a%2eb.example.com/cb',
    'https://a。b.example.com/cb',
    'https://-.example.com/cb',
    'https://a_b.example.com/cb',
    'https://xn--.example.com/cb',
    `https://${'a'.repeat(64)}.example.com/cb`,
  ],
  'another scheme or port': [
    'http://app.example.com/cb',
    'http://app.example.com:443/cb',
    'https://app.example.com:8443/cb',
    'https://app.example.com:80/cb',
    'https://app.example.com:0443/cb',
    'https://app.example.com:/cb',
    'https://localhost:3000/cb',
    'http://localhost/cb',
    'http://localhost:3001/cb',
    'http://localhost:03000/cb',
    'http://127.0.0.1:3000/cb',
    'http://[::1]:3000/cb',
    'http://2130706433:3000/cb',
  ],
  'another path or query, also one that decodes to the same': [
    'https://app.example.com/cb/../evil',
    'https://app.example.com/evil/../cb',
    'https://app.example.com/./cb',
    'https://app.example.com/cb/%2e%2e/x',
    'https://app.example.com/x/%2E%2E/cb',
    'https://app.example.com/x/..;/cb',
    'https://app.example.com/x/..%3B/cb',
    'https://app.example.com/x/%2e%2e%3b/cb',
    'https://app.example.com/x/%252e%252e/cb',
    'https://app.example.com/x/..%09/cb',
    'https://app.example.com/CB',
    'https://app.example.com/cb/',
    'https://app.example.com//cb',
    'https://app.example.com/cb;x',
    'https://app.example.com/cb%00',
    'https://app.example.com/%63b',
    'https://app.example.com/cb?x=1',
    'https://app.example.com/cb?',
    'https://app.example.com/cb?access_token=evil',
    'https://app.example.com/cb#f',
    'https://app.example.com/cb#',
    'https://app.example.com\\cb',
    'https:\\\\app.example.com/cb',
    `https://app.example.com/cb?${'x'.repeat(4_000)}`,
  ],
}

for (const [what, redirectUris] of Object.entries(REJECTED)) {
  // proves S001, RFC 9700 2.1, RFC 9700 4.11
  test(`a redirect_uri with ${what} is rejected, and records and counts no event`, async (t) => {
    const service = await world(t)
    const tenant = await service.agent.createTenant(CALLBACKS)
    for (const uri of redirectUris) {
      await assertLoginStartRejected(service, tenant, redirectUriQuery(uri), 'invalidRedirectUri')
    }
    assert.deepEqual(await tenant.eventKinds(), [])
    assert.equal((await tenant.status()).usage.events_this_minute.used, 0)
  })
}

// proves C051, D5
test('an unregistered redirect_uri is rejected, and the error names the closest registered URL', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant(CALLBACKS)
  for (const [uri, closest, differs] of [
    ['https://app.example.com/CB', CALLBACKS[0], 'path'],
    ['https://app.example.com/cb?x=1', CALLBACKS[0], 'query'],
    ['https://app.example.com:8443/cb', CALLBACKS[0], 'port'],
    ['http://app.example.com/cb', CALLBACKS[0], 'scheme'],
    ['https://a.b.example.com/cb', CALLBACKS[0], 'host'],
    ['http://localhost:3001/cb', CALLBACKS[2], 'port'],
  ] as const) {
    const details = await assertLoginStartRejected(
      service,
      tenant,
      redirectUriQuery(uri),
      'invalidRedirectUri',
    )
    assert.deepEqual(details, { closest, differs }, uri)
  }
  assert.deepEqual(await tenant.eventKinds(), [])
  assert.equal((await tenant.status()).usage.events_this_minute.used, 0)
})

test('a login ends at its registered redirect_uri in canonical form', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant([
    ...CALLBACKS,
    'http://127.0.0.1/cb',
    'http://[::1]/cb',
  ])
  const ends: [string, string][] = [
    ['https://app.example.com/cb', 'https://app.example.com/cb'],
    ['https://app.example.com:443/cb', 'https://app.example.com/cb'],
    ['hTTpS://APP.Example.com/cb', 'https://app.example.com/cb'],
    ['https://pr-1.example.com/cb', 'https://pr-1.example.com/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
    ['http://127.0.0.1:49152/cb', 'http://127.0.0.1:49152/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]:8080/cb', 'http://[::1]:8080/cb'],
  ]
  for (const [uri] of ends) {
    await assertLoginStarts(service, tenant, redirectUriQuery(uri))
  }
  const events = await tenant.events()
  assert.deepEqual(
    events.map(({ event, redirect_uri }) => [event, redirect_uri]),
    ends.map(([, canonical]) => ['login_started', canonical]),
  )
  const { callbackUrl } = await tenant.signIn(
    service.browser(),
    'Ada Lovelace',
    `?redirect_uri=https://PR-2.example.com:443/cb`,
  )
  assert.equal(callbackUrl.origin + callbackUrl.pathname, 'https://pr-2.example.com/cb')
})

// proves C052
test('without redirect_uri a login ends at the first callback URL without a wildcard', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant([
    'https://*.example.com/cb',
    'http://localhost/cb',
    CALLBACKS[0] ?? '',
  ])
  await assertLoginStarts(service, tenant, '')
  assert.equal((await tenant.events())[0]?.redirect_uri, 'http://localhost/cb')

  await tenant.provision(['https://*.example.com/cb'])
  assertApiError(await startLogin(service, tenant, ''), 'redirectUriRequired')
  assert.equal((await startLogin(service, tenant, '', 'text/html')).status, 400)
  await assertLoginStarts(service, tenant, '?redirect_uri=https://a.example.com/cb')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
})

test('a repeated redirect_uri or return_to parameter is rejected', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant(CALLBACKS)
  const registered = encodeURIComponent('https://app.example.com/cb')
  for (const query of [
    `?redirect_uri=${registered}&redirect_uri=https://evil.test/cb`,
    `?redirect_uri=https://evil.test/cb&redirect_uri=${registered}`,
    `?redirect_uri=${registered}&redirect_uri=${registered}`,
    `?redirect_uri=${registered}&redirect%5Furi=https://evil.test/cb`,
    `?redirect_uri=${registered}&%72edirect_uri=`,
    `?redirect_uri&redirect_uri=${registered}`,
  ]) {
    assert.deepEqual(problemPaths(await startLogin(service, tenant, query)), ['redirect_uri'])
    await assertLoginStartRejected(service, tenant, query, 'invalidRequest')
  }
  assert.deepEqual(problemPaths(await startLogin(service, tenant, '?return_to=/a&return_to=/b')), [
    'return_to',
  ])
  assert.deepEqual(await tenant.eventKinds(), [])

  // Parameters with similar names are ignored: the login ends at the default callback URL.
  for (const query of [
    '?redirect_uri[]=https://evil.test/cb',
    '?Redirect_Uri=https://evil.test/cb',
    '?__proto__=z',
  ]) {
    await assertLoginStarts(service, tenant, query)
    assert.equal((await tenant.events()).at(-1)?.redirect_uri, CALLBACKS[0])
  }
})
