import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { readReplacedKeys, replaceKeys } from '../../src/operations/tenants/keys.ts'
import { accountOf, newGuest, tokenFor } from '../support/actors/grants.ts'
import { assertToolError, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const CONCURRENT_CALLS = 50

const create = (wire: RawMcpClient, token: string, idempotency_key: string) =>
  wire.call('create_tenant', { confirmed: true, idempotency_key }, { token })

const tenantsOf = async ({ app }: World) => app.ctx.stores.ownership.page('', 1_000)

const keyIn = (created: { credentials_file: { content: string } }): string =>
  /^coh_management_key=(.*)$/m.exec(created.credentials_file.content)?.[1] ?? ''

for (const engine of ENGINES) {
  // proves C126
  test(`[${engine}] ${CONCURRENT_CALLS} concurrent calls with one idempotency key, on two instances, create one tenant with one key pair`, {
    skip: slow,
  }, async (t) => {
    const one = await world(t, { engine })
    const two = await world(t, { like: one })
    for (const subject of [await accountOf(one), newGuest(one).subject]) {
      const before = (await tenantsOf(one)).length
      const token = await tokenFor(one, subject)
      const wires = [new RawMcpClient(one.agent), new RawMcpClient(two.agent)] as const
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT_CALLS }, (_, index) =>
          toolResult(create(wires[index % 2] as RawMcpClient, token, 'same-name-1')),
        ),
      )
      for (const response of responses) {
        assert.deepEqual(response, responses[0])
      }
      assert.equal((await tenantsOf(one)).length, before + 1)
      const status = await one.agent.call('GET', '/api/status', { key: keyIn(responses[0]) })
      assert.equal(status.json.tenant_id, responses[0].tenant_id, 'the returned keys work')
    }
  })

  // proves C126
  test(`[${engine}] an idempotency key is scoped to the account and the endpoint, not to the client, which may have registered again`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const [ada, eve, guest] = [
      await accountOf(here, 'ada'),
      await accountOf(here, 'eve'),
      newGuest(here).subject,
    ]
    const tokens = [
      await tokenFor(here, ada),
      await tokenFor(here, eve),
      await tokenFor(here, guest),
      await tokenFor(here, newGuest(here).subject),
    ]
    const ids = []
    for (const token of tokens) {
      ids.push((await toolResult(create(wire, token, 'popular-name'))).tenant_id)
    }
    const body = { confirmed: true, idempotency_key: 'popular-name' }
    const bootstrapped = await here.agent.call('POST', '/api/mcp/bootstrap', {
      key: tokens[0] ?? '',
      body,
    })
    ids.push(bootstrapped.json.tenant_id)
    assert.equal(new Set(ids).size, 5)
    const again = await tokenFor(here, ada)
    for (const token of [again, await tokenFor(here, ada, { clientId: 'another-client' })]) {
      const repeated = await toolResult(create(wire, token, 'popular-name'))
      assert.equal(repeated.tenant_id, ids[0], 'a new token of this client and of another')
    }
    for (const bad of ['short', 'x'.repeat(129), 'spaces in it', 'ünïcode-name', '']) {
      assert.match(
        await assertToolError(create(wire, again, bad), 'invalidRequest'),
        /idempotency_key: Send 8 to 128/,
      )
    }
  })

  test(`[${engine}] a creation that an earlier release stored for its client is found again`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const ada = await accountOf(here)
    assert.ok(ada.kind === 'account')
    const created = await toolResult(create(wire, await tokenFor(here, ada), 'former-name'))
    const former = [`account:${ada.accountId}`, 'test-client', 'mcp', 'former-name'].join('\0')
    const scope = here.app.ctx.keyring.mac('creation', former)
    await raw(databaseOf(here), `update idempotency_keys set scope = '${scope}'`)
    const again = await toolResult(create(wire, await tokenFor(here, ada), 'former-name'))
    assert.equal(again.tenant_id, created.tenant_id)
  })

  test(`[${engine}] after a restart and a master key rotation the same idempotency key returns the same credentials`, async (t) => {
    const first = await world(t, { engine, env: { SERVICE_KEYS: `1:${'A'.repeat(43)}` } })
    const subject = await accountOf(first)
    const created = await toolResult(
      create(new RawMcpClient(first.agent), await tokenFor(first, subject), 'kept-name-1'),
    )
    await first.stop()
    const second = await world(t, {
      like: first,
      env: { SERVICE_KEYS: `2:${'B'.repeat(43)},1:${'A'.repeat(43)}` },
    })
    const wire = new RawMcpClient(second.agent)
    const token = await tokenFor(second, subject)
    assert.deepEqual(await toolResult(create(wire, token, 'kept-name-1')), created)
    const later = await toolResult(create(wire, token, 'kept-name-2'))
    assert.notEqual(later.tenant_id, created.tenant_id)
    assert.deepEqual(await toolResult(create(wire, token, 'kept-name-2')), later)
  })

  test(`[${engine}] a repeated creation returns the current keys, tenantExpired after a deletion, and a new tenant after the purge`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const token = await tokenFor(here, await accountOf(here))
    const created = await toolResult(create(wire, token, 'changing-app'))
    const tenant = await here.app.ctx.stores.tenants.find(created.tenant_id)
    assert.ok(tenant !== null)
    const author = { actor: 'operator', requestId: 'test' } as const
    const decision = {
      tenant,
      replacement: 'now',
      generation: 0,
      secrets: () => ['secret'],
      author,
    } as const
    assert.equal(await replaceKeys(here.app.ctx, decision), true)
    const replaced = await readReplacedKeys(here.app.ctx, decision)
    const again = await toolResult(create(wire, token, 'changing-app'))
    assert.equal(keyIn(again), replaced?.managementKey)
    assert.notEqual(keyIn(again), keyIn(created))

    await endTenant(here.app.ctx, tenant, 'deleted')
    assert.equal(
      await here.app.ctx.stores.credentials.find(tenant.id),
      null,
      'stored credentials are deleted with the tenant',
    )
    await assertToolError(create(wire, token, 'changing-app'), 'tenantExpired')
    const body = { confirmed: true, idempotency_key: 'never-used-yet' }
    assert.equal(
      (await here.agent.call('POST', '/api/mcp/bootstrap', { key: token, body })).status,
      201,
    )
    here.clock.advance({ days: 31 })
    await here.app.sweep()
    const fresh = await tokenFor(here, await accountOf(here))
    assert.notEqual(
      (await toolResult(create(wire, fresh, 'changing-app'))).tenant_id,
      tenant.id,
      'the idempotency key of a purged tenant is free',
    )
  })

  test(`[${engine}] tenants that a guest creates count against the client address limit, repeated calls do not, and the tenants expire`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const { subject } = newGuest(here)
    const token = await tokenFor(here, subject)
    for (let count = 0; count < 10; count++) {
      await toolResult(create(wire, token, `guest-app-${count}`))
    }
    for (let count = 0; count < 10; count++) {
      await toolResult(create(wire, token, `guest-app-${count}`))
    }
    await assertToolError(create(wire, token, 'guest-app-10'), 'rateLimited')
    assert.equal(
      (await here.agent.call('POST', '/api/genesis')).status,
      429,
      'REST and MCP share the limit',
    )
    here.clock.advance({ minutes: 1 })
    await toolResult(create(wire, token, 'guest-app-10'))

    here.clock.advance({ hours: 72 })
    const later = await tokenFor(here, newGuest(here).subject)
    assert.equal((await wire.request('tools/list', {}, { token })).status, 401)
    await toolResult(create(wire, later, 'guest-app-1'))
    await assertToolError(
      create(wire, await tokenFor(here, subject), 'guest-app-1'),
      'tenantExpired',
    )
  })

  // proves S025
  test(`[${engine}] stored credentials are encrypted and idempotency keys are hashed`, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const token = await tokenFor(here, await accountOf(here))
    const created = await toolResult(create(wire, token, 'sealed-application'))
    const keys = [...created.credentials_file.content.matchAll(/svc_\w+/g)].map(([key]) => key)
    assert.equal(keys.length, 2)
    for (const table of [
      'tenants',
      'tenant_keys',
      'tenant_credentials',
      'idempotency_keys',
      'oauth_grants',
    ]) {
      const rows = await raw(databaseOf(here), `select * from ${table}`)
      assert.ok(rows.length > 0, table)
      const text = rows.map((row) => Object.values(row).map(readable).join('|')).join('\n')
      for (const secret of [...keys, 'sealed-application', token]) {
        assert.ok(!text.includes(secret), table)
      }
    }
  })
}

const readable = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
