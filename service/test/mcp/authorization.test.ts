import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope, TOOLS } from '@gatehouse-auth/contract'
import type { ApiResponse } from '../support/actors/agent.ts'
import { accountOf, newGuest, tokenFor } from '../support/actors/grants.ts'
import { assertToolError, ERAS, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { sendSlowly } from '../support/transport/slow-body.ts'
import { type World, world } from '../support/world.ts'

const tenantsOf = async ({ app }: World): Promise<number> =>
  (await app.ctx.stores.ownership.page('', 1_000)).length

const challengeOf = ({ headers }: ApiResponse): string | null => headers.get('www-authenticate')

for (const engine of ENGINES) {
  // proves C117
  test(`[${engine}] a revoked or expired token is rejected at the next call, and a new one has its own scopes`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const account = await accountOf(here)
    const token = await tokenFor(here, account)
    assert.equal((await wire.toolNames({ token })).length, 6)
    const [grant] = await here.app.ctx.stores.oauthGrants.listByAccount(
      account.accountId,
      here.clock.now(),
    )
    await here.app.ctx.stores.oauthGrants.revoke(grant?.id ?? 0, here.clock.now())
    assert.equal((await wire.request('tools/list', {}, { token })).status, 401)

    const reader = await tokenFor(here, account, { scopes: ['mcp:tenant:read'] satisfies Scope[] })
    assert.deepEqual(await wire.toolNames({ token: reader }), [
      'get_service_documentation',
      'tenant_status',
    ])
    here.clock.advance({ hours: 1 })
    assert.equal((await wire.request('tools/list', {}, { token: reader })).status, 401)
  })

  // proves C353, S042
  test(`[${engine}] a message whose body arrives after its grant was revoked is rejected, and creates nothing`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine, through: 'port' })
    const { stores } = here.app.ctx
    const account = await accountOf(here)
    const token = await tokenFor(here, account)
    const [grant] = await stores.oauthGrants.listByAccount(account.accountId, here.clock.now())
    const params = {
      name: 'create_tenant',
      arguments: { confirmed: true, idempotency_key: 'slow-app' },
    }
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const body = Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    )
    const response = await sendSlowly(
      t,
      { url: `${here.baseUrl}/mcp`, method: 'POST', headers, body },
      { clock: here.clock, store: stores.oauthTokens, read: 'findGrant' },
      () => stores.oauthGrants.revoke(grant?.id ?? 0, here.clock.now()),
    )
    assert.equal(response.status, 401)
    assert.equal(await tenantsOf(here), 0)
  })

  // proves C125
  test(`[${engine}] an account can access the tenants it owns, a guest the unclaimed tenants it created; any other tenant is not found`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const [ada, eve] = [await accountOf(here, 'ada'), await accountOf(here, 'eve')]
    const [guest, other] = [newGuest(here), newGuest(here)]
    const tokens = {
      ada: await tokenFor(here, ada),
      eve: await tokenFor(here, eve),
      guest: await tokenFor(here, guest.subject),
      sameGuest: await tokenFor(here, guest.subject, { clientId: 'another-client' }),
      other: await tokenFor(here, other.subject),
    }
    const createTenant = (token: string) =>
      toolResult(
        wire.call('create_tenant', { confirmed: true, idempotency_key: 'reach-test-1' }, { token }),
      )
    const owned = (await createTenant(tokens.ada)).tenant_id
    const created = (await createTenant(tokens.guest)).tenant_id
    const publicly = (await here.agent.createTenant(null)).id
    const reach = async (token: string, tenant_id: string): Promise<boolean> => {
      const responses = [
        await wire.call('tenant_status', { tenant_id }, { token }),
        await wire.call('give_feedback', { tenant_id, feedback: 'x' }, { token }),
      ]
      for (const { isError, text } of responses) {
        if (isError) {
          assert.match(text, /^tenantNotFound: No tenant with this tenant_id is within reach/)
        }
      }
      return responses.every(({ isError }) => !isError)
    }
    const matrix = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(tokens).map(async ([who, token]) => {
            const reached = []
            for (const [what, id] of [
              ['owned', owned],
              ['created', created],
              ['publicly', publicly],
              ['nothing', 'no-such-tenant'],
              ['odd', '../x'],
            ] as const) {
              if (await reach(token, id)) {
                reached.push(what)
              }
            }
            return [who, reached]
          }),
        ),
      )
    assert.deepEqual(await matrix(), {
      ada: ['owned'],
      eve: [],
      guest: ['created'],
      sameGuest: ['created'],
      other: [],
    })
    await here.app.ctx.stores.ownership.claim(created, eve.accountId, here.clock.now())
    assert.deepEqual(await matrix(), {
      ada: ['owned'],
      eve: ['created'],
      guest: [],
      sameGuest: [],
      other: [],
    })
    const message = await assertToolError(
      wire.call('tenant_status', { tenant_id: owned }, { token: tokens.eve }),
      'tenantNotFound',
    )
    assert.equal(
      await assertToolError(
        wire.call('tenant_status', { tenant_id: 'no-such-tenant' }, { token: tokens.eve }),
        'tenantNotFound',
      ),
      message,
      'the message does not reveal whether a tenant exists',
    )
  })

  // proves C108
  test(`[${engine}] without a token, a wrong tenant and a wrong key give the same error, and application keys are rejected`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const [mine, other] = [await here.agent.createTenant(null), await here.agent.createTenant(null)]
    const status = (tenant_id: string, coh_management_key: string) =>
      wire.call('tenant_status', { tenant_id, coh_management_key })
    const message = await assertToolError(status(mine.id, other.key), 'invalidCredentials')
    for (const [id, key] of [
      [other.id, mine.key],
      ['no-such-tenant', mine.key],
      [mine.id, 'garbage'],
      [mine.id, `${mine.key}x`],
      [mine.id, mine.key.toLowerCase()],
      ['no-such-tenant', 'garbage'],
    ] as const) {
      const response = await status(id, key)
      assert.equal(response.text, message)
      assert.match(
        response.meta['mcp/www_authenticate'][0],
        /^Bearer resource_metadata=".*error_description="Sign in/,
      )
    }
    for (const id of [mine.id, other.id, 'no-such-tenant']) {
      const text = await assertToolError(status(id, mine.applicationKey), 'wrongKeyKind')
      assert.ok(!text.includes(mine.applicationKey))
    }
    assert.equal((await toolResult(status(mine.id, mine.key))).tenant_id, mine.id)

    const missing = await wire.call('tenant_status', {})
    assert.match(missing.text, /^missingCredentials: Without signing in.*Connected with OAuth/s)
    assert.ok(missing.meta['mcp/www_authenticate'][0].includes('resource_metadata='))
  })
}

test('/mcp?login returns a 401 challenge without an error code to a caller without a token', async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  for (const path of ['/mcp?login', '/mcp?login=', '/mcp?login=1&x=2']) {
    const response = await wire.request('initialize', {}, { path })
    assert.equal(response.status, 401)
    assert.equal(
      challengeOf(response),
      `Bearer resource_metadata="${here.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="${SCOPES.join(' ')}"`,
    )
  }
  const token = await tokenFor(here, await accountOf(here))
  assert.equal((await wire.toolNames({ token, path: '/mcp?login' })).length, 6)
  assert.equal((await wire.request('ping', {}, { path: '/mcp?log' })).status, 200)
})

// proves C123, ASVS 10.3.2
test('a call without the required scope is a 403 that names the scope, whichever tenant it names', async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const account = await accountOf(here)
  const all = await tokenFor(here, account)
  const { tenant_id } = await toolResult(
    wire.call('create_tenant', { confirmed: true, idempotency_key: 'scoped-app' }, { token: all }),
  )
  const before = await tenantsOf(here)
  const args = { confirmed: true, idempotency_key: 'never-created', tenant_id, feedback: 'x' }
  for (const { name, scope } of TOOLS) {
    if (scope === null) {
      continue
    }
    const token = await tokenFor(here, account, {
      scopes: SCOPES.filter((each) => each !== scope),
    })
    assert.ok(!(await wire.toolNames({ token })).includes(name))
    for (const era of ERAS) {
      for (const given of [args, {}, { tenant_id: 'another-tenant' }]) {
        const response = await wire.request(
          'tools/call',
          { name, arguments: given },
          { token },
          era,
        )
        assert.equal(response.status, 403, response.text)
        assert.equal(
          challengeOf(response),
          `Bearer error="insufficient_scope", error_description="This needs the scope ${scope}.", scope="${scope}", resource_metadata="${here.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
        )
      }
    }
  }
  const none = await tokenFor(here, account, { scopes: [] })
  assert.deepEqual(await wire.toolNames({ token: none }), ['get_service_documentation'])
  await toolResult(wire.call('get_service_documentation', {}, { token: none }))
  assert.equal(await tenantsOf(here), before)
})

test('error results never repeat the arguments, least of all a key', {
  skip: slow,
}, async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant(null)
  const token = await tokenFor(here, await accountOf(here))
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  const hostile = [
    { ...named, feedback: { key: tenant.key } },
    { ...named, feedback: 'x', [tenant.key]: 1 },
    { tenant_id: tenant.key, coh_management_key: tenant.id, feedback: 'x' },
    { tenant_id: [tenant.key], coh_management_key: { $ne: tenant.key }, feedback: 'x' },
    { ...named, feedback: 'x', confirmed: tenant.key },
    {
      ...named,
      confirmed: 'true',
      resource: tenant.key,
      configuration: { callback_url: tenant.key },
    },
    {
      ...named,
      confirmed: true,
      resource: 'social-login',
      configuration: { callback_url: `https://a.example/${tenant.key}#x` },
    },
    {
      ...named,
      confirmed: true,
      resource: 'social-login',
      configuration: { [tenant.key]: tenant.key },
    },
    {
      ...named,
      confirmed: true,
      resource: 'social-login',
      configuration: {
        callback_urls: [`https://a.example/${tenant.key}`, `https://a.example/${tenant.key}`],
      },
    },
  ]
  for (const { name, scope } of TOOLS) {
    if (scope === null) {
      continue
    }
    for (const args of hostile) {
      for (const options of [{}, { token }]) {
        const response = await wire.request('tools/call', { name, arguments: args }, options)
        assert.ok(!response.text.includes(tenant.key), `${name} ${response.text}`)
        assert.equal(response.status, 200)
      }
    }
    for (const args of ['text', 5, [tenant.key], null]) {
      const response = await wire.request('tools/call', { name, arguments: args })
      assert.ok(!response.text.includes(tenant.key))
    }
  }
  const both = await wire.call('tenant_status', named, { token })
  assert.match(both.text, /coh_management_key: Leave it out/)
})

// proves C098
test('tools that change something require confirmed: true', async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant(null)
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  const before = await tenantsOf(here)
  for (const confirmed of [undefined, false, 'true', 1, null, {}]) {
    for (const [name, args] of [
      ['create_tenant', {}],
      ['claim_tenant', named],
      [
        'provision_resource',
        {
          ...named,
          resource: 'social-login',
          configuration: { callback_url: 'https://a.example/' },
        },
      ],
    ] as const) {
      const text = await assertToolError(wire.call(name, { ...args, confirmed }), 'invalidRequest')
      assert.match(text, /confirmed: Send true, and only when the user explicitly authorized/)
    }
  }
  assert.equal(await tenantsOf(here), before)
  assert.deepEqual((await tenant.status()).resources, [])
})
