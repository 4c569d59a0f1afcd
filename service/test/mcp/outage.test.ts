import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/actors/agent.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { ERAS, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

const assertUnavailable = (response: ApiResponse): void => {
  assert.equal(response.status, 503, response.text)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(
    response.headers.get('www-authenticate'),
    null,
    'a challenge would make clients discard a valid token',
  )
  assert.equal(response.json.error.code, -32603)
  assert.ok(!/postgres|sql|ECONN|database/i.test(response.text), response.text)
}

// proves C147
test('while the database is unavailable /mcp returns 503, and the same token works afterwards', {
  skip: sqliteOnly,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, { engine: 'postgres', env: { DATABASE_URL: proxy.url } })
  const wire = new RawMcpClient(here.agent)
  const token = await tokenFor(here, await accountOf(here))
  const guest = await here.agent.createTenant(null)
  const named = { tenant_id: guest.id, coh_management_key: guest.key }
  const create = {
    name: 'create_tenant',
    arguments: { confirmed: true, idempotency_key: 'outage-app' },
  }

  proxy.cut()
  for (const era of ERAS) {
    assertUnavailable(await wire.request('tools/list', {}, { token }, era))
    assertUnavailable(await wire.request('tools/call', create, { token }, era))
    const status = await wire.request(
      'tools/call',
      { name: 'tenant_status', arguments: named },
      {},
      era,
    )
    assertUnavailable(status)
    assert.equal(typeof status.json.id, 'number', 'the error has the id of the request')
    assertUnavailable(
      await wire.request(
        'tools/call',
        { name: 'create_tenant', arguments: { confirmed: true } },
        {},
        era,
      ),
    )
    assert.equal((await wire.toolNames()).length, 6, 'tools/list needs no database')
    await toolResult(wire.call('get_service_documentation', {}, {}, era))
    const garbage = await wire.request('tools/list', {}, { token: 'garbage' }, era)
    assert.equal(garbage.status, 401, 'a malformed token needs no database')
  }
  const bootstrap = { confirmed: true, idempotency_key: 'outage-app-2' }
  assert.equal(
    (await here.agent.call('POST', '/api/mcp/bootstrap', { key: token, body: bootstrap })).status,
    503,
  )

  proxy.heal()
  await waitUntil(
    'the service is ready again',
    async () => (await here.agent.call('GET', '/readyz')).status === 200,
  )
  assert.equal((await wire.toolNames({ token })).length, 6)
  assert.equal(
    (await toolResult(wire.call('create_tenant', create.arguments, { token }))).status,
    'claimed',
  )
})

test('a creation whose commit response was lost is looked up and returned, and once more when the client repeats it', {
  skip: sqliteOnly,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, { engine: 'postgres', env: { DATABASE_URL: proxy.url } })
  const wire = new RawMcpClient(here.agent)
  const token = await tokenFor(here, await accountOf(here))
  const args = { confirmed: true, idempotency_key: 'lost-response-app' }
  proxy.loseNextCommit()
  const first = await toolResult(wire.call('create_tenant', args, { token }))
  const again = await toolResult(wire.call('create_tenant', args, { token }))
  assert.deepEqual(again, first)
  assert.equal((await here.app.ctx.stores.ownership.page('', 10)).length, 1)
  const key = /^coh_management_key=(.*)$/m.exec(again.credentials_file.content)?.[1] ?? ''
  assert.equal(
    (await here.agent.call('GET', '/api/status', { key })).json.tenant_id,
    again.tenant_id,
    'the keys work',
  )
})

test('an internal error in a tool is reported without its cause', {
  skip: sqliteOnly,
}, async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant(null)
  const { stores } = here.app.ctx
  t.mock.method(stores.eventCounts, 'read', () =>
    Promise.reject(new Error(`select * from event_counts -- ${tenant.key}`)),
  )
  for (const era of ERAS) {
    const params = {
      name: 'tenant_status',
      arguments: { tenant_id: tenant.id, coh_management_key: tenant.key },
    }
    const response = await wire.request('tools/call', params, {}, era)
    assert.deepEqual([response.status, response.json.error.code], [500, -32603])
    assert.match(response.json.error.message, / request id: [\w-]{16}$/)
    assert.ok(
      here.logLines.join('').includes(response.json.error.message.slice(-16)),
      'the request id is in the log',
    )
  }
})
