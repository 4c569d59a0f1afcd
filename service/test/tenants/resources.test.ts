import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK, type Tenant } from '../support/actors/agent.ts'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const PATH = '/api/resources/social-login'
const callbacksOf = async (tenant: Tenant): Promise<string[] | undefined> =>
  (await tenant.manage('GET', '/api/resources')).json.resources[0]?.callback_urls

for (const engine of ENGINES) {
  // proves C009, C044
  test(`[${engine}] callback URLs are provisioned as a list or a single URL, and each call replaces the whole list`, async (t) => {
    const { agent, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant(null)
    assert.deepEqual((await tenant.manage('GET', '/api/resources')).json, { resources: [] })

    const shape = {
      login_url: `${baseUrl}/edge/auth/${tenant.id}/google`,
      callback_urls: [CALLBACK],
      events_table: 'social_login_events',
      events_endpoint: `${baseUrl}/api/social-login/events`,
    }
    const single = await tenant.manage('POST', PATH, { callback_url: CALLBACK })
    assert.deepEqual([single.status, single.json], [200, shape])
    const list = [
      'HTTPS://B.example.com:443/Cb',
      'http://localhost/cb',
      'http://[::1]:3000',
      'https://*.example.com/cb',
    ]
    const canonical = [
      'https://b.example.com/Cb',
      'http://localhost/cb',
      'http://[::1]:3000/',
      'https://*.example.com/cb',
    ]
    const replaced = await tenant.manage('POST', PATH, { callback_urls: list })
    assert.deepEqual(
      [replaced.status, replaced.json],
      [200, { ...shape, callback_urls: canonical }],
    )
    assert.deepEqual((await tenant.manage('GET', '/api/resources')).json, {
      resources: [
        { resource: 'social-login', status: 'active', ...shape, callback_urls: canonical },
      ],
    })
    assert.deepEqual((await tenant.status()).resources, [
      { resource: 'social-login', status: 'active' },
    ])

    const body = {
      resources: ['social-login'],
      configurations: { 'social-login': { callback_url: CALLBACK } },
    }
    const bulk = await tenant.manage('POST', '/api/resources', body)
    assert.deepEqual(
      [bulk.status, bulk.json],
      [200, { resources: [{ resource: 'social-login', status: 'active', ...shape }] }],
    )
    assert.deepEqual(await callbacksOf(tenant), [CALLBACK])
    assert.deepEqual(await tenant.eventKinds(), [])
  })

  // proves C172
  test(`[${engine}] 50 callback URLs of 2,048 characters fit into one request, over REST and MCP`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const longest = Array.from({ length: 50 }, (_, index) =>
      `https://app.example.com/${index}/`.padEnd(2_048, 'x'),
    )
    const configuration = { callback_urls: longest }
    assert.equal((await tenant.manage('POST', PATH, configuration)).status, 200)
    assert.deepEqual(await callbacksOf(tenant), longest)
    await tenant.provision([CALLBACK])
    const several = {
      resources: ['social-login'],
      configurations: { 'social-login': configuration },
    }
    assert.equal((await tenant.manage('POST', '/api/resources', several)).status, 200)
    assert.deepEqual(await callbacksOf(tenant), longest)
    await tenant.provision([CALLBACK])
    const args = {
      confirmed: true,
      tenant_id: tenant.id,
      coh_management_key: tenant.key,
      ...several,
    }
    const called = await new RawMcpClient(agent).call('provision_resource', args)
    assert.equal(called.isError, false, called.text)
    assert.deepEqual(await callbacksOf(tenant), longest)
  })
}

test('a wildcard under a shared hosting domain is accepted with a warning', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(null)
  const shared = ['https://*.vercel.app/cb', 'https://*.github.io/cb', 'https://*.example.com/cb']
  const response = await tenant.manage('POST', PATH, { callback_urls: shared })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.json.warnings.length, 2)
  assert.match(response.json.warnings[0], /vercel\.app/)
  assert.deepEqual(response.json.callback_urls, shared)
  const own = await tenant.provision(['https://*.team.vercel.app/cb'])
  assert.equal('warnings' in own.json, false)
})

test('a tenant has 1 to 50 distinct callback URLs', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  const many = Array.from({ length: 51 }, (_, index) => `https://app-${index}.example.com/cb`)
  const provision = (callback_urls: unknown) => tenant.manage('POST', PATH, { callback_urls })
  assert.deepEqual(problemPaths(await provision(many)), ['callback_urls'])
  assert.deepEqual(problemPaths(await provision([])), ['callback_urls'])
  const twice = [
    'https://a.example.com/cb',
    'https://b.example.com/cb',
    'HTTPS://A.EXAMPLE.COM:443/cb',
  ]
  assert.deepEqual(problemPaths(await provision(twice)), ['callback_urls[2]'])
  assert.deepEqual(await callbacksOf(tenant), [CALLBACK])
  assert.equal((await provision(many.slice(0, 50))).status, 200)
  assert.deepEqual(await callbacksOf(tenant), many.slice(0, 50))
})

// proves C045
test('an invalid provisioning body is rejected with the path of each problem, and nothing is stored', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(null)
  const configuration = { callback_url: CALLBACK }
  for (const [path, body, ...problems] of [
    [PATH, {}, 'callback_urls'],
    [PATH, { callback_urls: [CALLBACK], callback_url: CALLBACK }, 'callback_urls'],
    [PATH, { callback_urls: CALLBACK }, 'callback_urls'],
    [PATH, { callback_urls: null }, 'callback_urls'],
    [PATH, { callback_urls: { 0: CALLBACK } }, 'callback_urls'],
    [
      PATH,
      { callback_urls: [CALLBACK, 7, null, [CALLBACK]] },
      'callback_urls[1]',
      'callback_urls[2]',
      'callback_urls[3]',
    ],
    [PATH, { callback_url: [CALLBACK] }, 'callback_url'],
    [PATH, { callback_url: CALLBACK, tier: 'pro', login_url: 'x' }, 'tier', 'login_url'],
    [PATH, [CALLBACK], ''],
    [PATH, 'null', ''],
    [PATH, '"text"', ''],
    [PATH, '{"callback_url": ', ''],
    [PATH, '{"__proto__": {"callback_url": "https://evil.example/cb"}}', ''],
    [PATH, `{"callback_url": ${'['.repeat(200)}${']'.repeat(200)}}`, ''],
    [`${PATH}?callback_url=x`, configuration, 'callback_url'],
    ['/api/resources', {}, 'resources', 'configurations'],
    [
      '/api/resources',
      { resources: [], configurations: { 'social-login': configuration } },
      'resources',
    ],
    [
      '/api/resources',
      { resources: ['database'], configurations: { 'social-login': configuration } },
      'resources[0]',
    ],
    [
      '/api/resources',
      { resources: ['social-login'], configurations: {} },
      'configurations.social-login',
    ],
    [
      '/api/resources',
      {
        resources: ['social-login'],
        configurations: { 'social-login': configuration, database: {} },
      },
      'configurations.database',
    ],
  ] as const) {
    assert.deepEqual(
      problemPaths(await tenant.manage('POST', path, body)),
      problems,
      JSON.stringify(body),
    )
  }
  // A missing body is an error, not an empty list.
  assert.deepEqual(problemPaths(await tenant.manage('POST', PATH)), [''])
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const options = {
      key: tenant.key,
      body: JSON.stringify(configuration),
      headers: { 'Content-Type': type },
    }
    assertApiError(await agent.call('POST', PATH, options), 'unsupportedMediaType')
  }
  const large = { callback_url: `https://a.example.com/${'x'.repeat(256 * 1_024)}` }
  assertApiError(await tenant.manage('POST', PATH, large), 'bodyTooLarge')
  assert.deepEqual((await tenant.manage('GET', '/api/resources')).json, { resources: [] })
  assertApiError(await tenant.manage('GET', '/api/social-login/events'), 'notProvisioned')
})
