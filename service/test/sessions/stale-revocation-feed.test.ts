import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ApiResponse } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

// A machine resumes from sleep without its database: by its clock, the revocation feed is stale.

/** Stops `Date.now()`, the clock of the machine, and advances it. The manual clock of the service does not move. */
function sleepingMachine(t: TestContext): { slept(ms: number): void } {
  const stopped = Date.now()
  let asleep = 0
  t.mock.method(Date, 'now', () => stopped + asleep)
  return {
    slept(ms) {
      asleep = ms
    },
  }
}

// proves C367
test('with VERIFY_STALE_POLICY=closed verify returns 503 once the revocation feed is 30 seconds old, or VERIFY_STALE_SECONDS', {
  skip: sqliteOnly,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const env = { DATABASE_URL: proxy.url }
  const open = await world(t, { engine: 'postgres', env })
  const closed = await world(t, { like: open, env: { ...env, VERIFY_STALE_POLICY: 'closed' } })
  const strict = { ...env, VERIFY_STALE_POLICY: 'closed', VERIFY_STALE_SECONDS: '10' }
  const sooner = await world(t, { like: open, env: strict })
  const tenant = await open.agent.createTenant()
  const spent = await tenant.signIn(open.browser())
  open.clock.advance({ minutes: 1 })
  const machine = sleepingMachine(t)
  const { access_token } = await tenant.refresh(spent.refresh_token)
  const closedTenant = tenant.at(closed.agent)
  for (const { agent } of [closed, sooner]) {
    await waitUntil(
      'it applies the revocation',
      async () => !(await tenant.at(agent).isValid(spent.access_token)),
    )
  }
  /** Through the fast path, and through the framework. */
  const verify = async (token: string): Promise<[ApiResponse, ApiResponse]> => [
    await closedTenant.edge('verify', { access_token: token }),
    await closedTenant.edge('verify', { access_token: token, extra: 1 }),
  ]

  proxy.cut()
  machine.slept(6_000)
  assert.equal(await tenant.at(sooner.agent).isValid(access_token), true)
  const reasons = async ({ agent }: typeof open) =>
    (await agent.call('GET', '/readyz')).json.reasons as string[]
  assert.ok(
    (await reasons(sooner)).includes('revocations are out of date'),
    'not ready before verify fails',
  )
  assert.ok(!(await reasons(closed)).includes('revocations are out of date'))
  machine.slept(25_000)
  assertApiError(
    await tenant.at(sooner.agent).edge('verify', { access_token }),
    'temporarilyUnavailable',
  )
  for (const { json } of await verify(access_token)) {
    assert.equal(json.valid, true)
  }
  for (const { json } of await verify(spent.access_token)) {
    assert.equal(json.valid, false)
  }

  machine.slept(31_000)
  const loggedBefore = closed.logLines.length
  for (const token of [access_token, spent.access_token, 'garbage']) {
    for (const response of await verify(token)) {
      assertApiError(response, 'temporarilyUnavailable')
    }
  }
  const lines = closed.logLines.slice(loggedBefore).map((line) => JSON.parse(line))
  assert.equal(lines.filter(({ status }) => status === 503).length, 6)
  assert.deepEqual(
    lines.filter(({ level, msg }) => level === 50 && msg.includes('/verify')),
    [],
    'the stale feed is logged once, not for each request',
  )
  assert.equal(await tenant.isValid(access_token), true, 'the default policy is open')

  proxy.heal()
  await waitUntil(
    'the feed has caught up',
    async () => (await verify(access_token))[0].status === 200,
  )
  for (const { json } of await verify(access_token)) {
    assert.equal(json.valid, true)
  }
  for (const { json } of await verify(spent.access_token)) {
    assert.equal(json.valid, false)
  }
})

test('on SQLite VERIFY_STALE_POLICY=closed has no effect', async (t) => {
  const { agent, browser } = await world(t, { env: { VERIFY_STALE_POLICY: 'closed' } })
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  sleepingMachine(t).slept(3_600_000)
  assert.equal(await tenant.isValid(access_token), true)
})

// proves C373
test('while PostgreSQL hangs, verify of garbage or of the token of another tenant waits for no query, whether this instance knows the tenant or not', {
  skip: sqliteOnly,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  const { agent, browser, clock, app } = await world(t, {
    engine: 'postgres',
    env: { DATABASE_URL: proxy.url },
  })
  const tenant = await agent.createTenant()
  const foreign = await (await agent.createTenant()).signIn(browser())
  const verify = async (id: string, access_token = 'garbage'): Promise<unknown> => {
    const { json } = await agent.call('POST', `/edge/auth/${id}/verify`, { body: { access_token } })
    return json
  }
  assert.deepEqual(await verify(tenant.id), { valid: false })
  // Longer than the tenant stays in the cache.
  clock.advance({ seconds: 11 })
  const machine = sleepingMachine(t)
  proxy.blackhole()
  const began = verify(tenant.id)
  machine.slept(2 * HANG_TIMEOUT_MS)
  assert.deepEqual(await began, { valid: false }, 'a request that was waiting')
  const { waiting } = app.storage.poolStats() ?? {}
  assert.deepEqual(await verify(tenant.id), { valid: false })
  assert.deepEqual(await verify('swift-fox-running-k3qd'), { valid: false })
  for (const id of [tenant.id, 'swift-fox-running-k3qd']) {
    assert.deepEqual(await verify(id, foreign.access_token), { valid: false })
  }
  assert.equal(app.storage.poolStats()?.waiting, waiting, 'no connection was asked for')
  proxy.heal()
})

test('verify of a foreign token asks for the tenant only while the database responds, and then waits for it', async (t) => {
  const { agent, app } = await world(t)
  const { ctx } = app
  const verify = () =>
    agent.call('POST', '/edge/auth/swift-fox-running-k3qd/verify', {
      body: { access_token: 'garbage' },
    })
  const find = t.mock.method(ctx.stores.tenants, 'find')
  const silence = t.mock.method(ctx, 'isDatabaseSilent', () => true)
  assert.deepEqual((await verify()).json, { valid: false })
  assert.equal(find.mock.callCount(), 0)

  silence.mock.restore()
  const found = Promise.withResolvers<null>()
  find.mock.mockImplementation(() => found.promise)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const waiting = verify()
  await waitUntil('it has asked', () => find.mock.callCount() === 1)
  t.mock.timers.tick(250)
  found.resolve(null)
  assertApiError(await waiting, 'tenantNotFound')
})
