import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Resource } from '../../src/domain/stores/stores.ts'
import { mePaths } from '../../src/http/me/paths.ts'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { openMe, pressOnMe } from '../support/actors/me.ts'
import { databaseOf, everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES, sqliteOnly } from '../support/postgres/engines.ts'
import { consentOf, NOW, openTestStorage, raw, signInUser } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] the sweep deletes revocations that are over, and request records of a week ago and beyond the newest 1,000 of a tenant`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const [database, now, day] = [databaseOf(here), here.clock.now(), 86_400_000]
    for (const until of [now - 1, now + 60_000]) {
      await raw(
        database,
        `insert into revocations (kind, tenant_id, subject_id, generation, until_ms) values ('session', 'a', 1, 1, ${until})`,
      )
    }
    const records =
      'insert into request_records (tenant_id, at_ms, method, route, status, ms, request_id)'
    await raw(
      database,
      `${records} with recursive recent (age) as (select 1 union all select age + 1 from recent where age < 1001)
        select 'busy', ${now} - age, 'GET', '/api/status', 200, 1, 'r' from recent`,
    )
    for (const at of [now - 8 * day, now - 6 * day]) {
      await raw(database, `${records} values ('quiet', ${at}, 'GET', '/api/status', 200, 1, 'r')`)
    }
    await here.app.sweep()
    const valuesOf = async (sql: string) =>
      (await raw(database, sql)).map((row) => Object.values(row).map(String).join())
    assert.deepEqual(await valuesOf('select until_ms from revocations'), [String(now + 60_000)])
    assert.deepEqual(
      await valuesOf(
        'select tenant_id, min(at_ms), count(*) from request_records group by 1 order by 1',
      ),
      [`busy,${now - 1_000},1000`, `quiet,${now - 6 * day},1`],
    )
  })

  test(`[${engine}] a step of the sweep that fails keeps no other from running, and no other user from being removed`, async (t) => {
    const here = await world(t, { engine })
    const { agent, app, browser, baseUrl, clock } = here
    const { stores } = app.ctx
    const tenants = [await agent.createTenant(), await agent.createTenant()]
    for (const tenant of tenants) {
      await claim(tenant, browser(), 'Grace Hopper')
      await tenant.signIn(browser())
      await pressOnMe(await openMe(browser(), baseUrl), mePaths.remove, tenant.id)
      await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    }
    clock.advance({ days: 31 })
    const { find } = stores.tenants
    const broken = tenants[0]?.id ?? ''
    Object.assign(stores.tenants, {
      find: (id: string) => (id === broken ? Promise.reject(new Error('no')) : find(id)),
    })
    const tally = t.mock.method(stores.events, 'listUntallied', () =>
      Promise.reject(new Error('full')),
    )
    await assert.rejects(app.sweep(), /^Error: the sweep failed at: tallies, removals$/)
    Object.assign(stores.tenants, { find })
    tally.mock.restore()
    assert.deepEqual(
      [await tenants[0]?.users(), await tenants[1]?.users()].map((users) => users?.length),
      [1, 0],
    )
    assert.deepEqual((await everyRow(here)).edge_sessions, [], 'a later step')
    await app.sweep()
    assert.deepEqual(await tenants[0]?.users(), [])
  })
}

test('a sweep that is due while one runs is that one, and none runs while the clock differs from the database', async (t) => {
  const { app } = await world(t)
  const { promise: released, resolve: release } = Promise.withResolvers<never[]>()
  const step = t.mock.method(app.ctx.stores.events, 'listUntallied', () => released)
  const ended: string[] = []
  const sweeps = ['first', 'second'].map((name) => app.sweep().then(() => ended.push(name)))
  await waitUntil('the first waits', () => step.mock.callCount() === 1)
  assert.deepEqual(ended, [])
  release([])
  await Promise.all(sweeps)
  assert.equal(step.mock.callCount(), 1)

  const skew = t.mock.method(app.storage, 'clockSkewMs', () => -30_001)
  await app.sweep()
  assert.equal(step.mock.callCount(), 1)
  skew.mock.mockImplementation(() => 30_000)
  await app.sweep()
  assert.equal(step.mock.callCount(), 2)
})

test('between the steps of a sweep, other requests run', async (t) => {
  const { app } = await world(t)
  const { events, attempts } = app.ctx.stores
  let [steps, requests] = [0, 0]
  const step = async (): Promise<number> => {
    assert.equal(requests, steps)
    setImmediate(() => {
      requests += 1
    })
    steps += 1
    return steps % 3 === 0 ? 0 : 250
  }
  t.mock.method(events, 'listUntallied', async () => [{ id: 1, tenantId: 'one-two' }])
  t.mock.method(events, 'tally', step)
  t.mock.method(attempts, 'sweep', step)
  await app.sweep()
  assert.equal(steps, 6)
})

const TABLES = ['edge_sessions', 'login_attempts', 'account_sign_ins', 'account_sessions'] as const

for (const engine of ENGINES) {
  // proves S026
  test(`[${engine}] secrets are deleted when they expire, and the hashes of client addresses after two hours`, async (t) => {
    const here = await world(t, { engine })
    const { agent, app, browser, baseUrl, clock } = here
    /** What is left after the sweep: secrets by table, and client addresses by what they did. */
    const swept = async () => {
      await app.sweep()
      const rows = await everyRow(here)
      const scopes = (rows.counters ?? []).map(({ scope }) => String(scope))
      const addresses = scopes.filter((scope) => /^(guests|starts):/.test(scope))
      return {
        tables: TABLES.filter((table) => rows[table]?.length !== 0),
        addresses,
        text: JSON.stringify(rows),
      }
    }
    const tenant = await agent.createTenant()
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    await browser().open(tenant.loginUrl)
    await signInToAccount(baseUrl, browser())
    await browser().request(`${baseUrl}/account/sign-in`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ next: '/account' }),
    })

    const first = await swept()
    assert.deepEqual(first.tables, TABLES)
    assert.deepEqual(first.addresses.map((scope) => scope.split(':')[0]).sort(), [
      'guests',
      'starts',
    ])
    assert.ok(
      first.addresses.every((scope) => /^\w+:[\w-]{43}$/.test(scope)),
      first.addresses.join(),
    )
    assert.doesNotMatch(first.text, /127\.0\.0\.1|::1\b/)

    clock.advance({ hours: 1, minutes: 58 })
    const later = await swept()
    assert.deepEqual(later.tables, ['account_sessions'])
    assert.equal(later.addresses.length, 2)
    clock.advance({ minutes: 3 })
    assert.deepEqual((await swept()).addresses, [])
    clock.advance({ days: 29 })
    assert.deepEqual((await swept()).tables, ['account_sessions'])
    clock.advance({ days: 1 })
    assert.deepEqual((await swept()).tables, [])
  })
}

// proves C375
test('a sweep with an endless backlog of events ends, and the next one continues where each tenant is', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { env: { EVENT_RETENTION_DAYS: '30' } })
  const { agent, app, browser, clock } = here
  const { events } = app.ctx.stores
  const tenants = [await agent.createTenant(), await agent.createTenant()]
  for (const tenant of tenants) {
    await claim(tenant, browser(), 'Grace Hopper')
    await tenant.signIn(browser())
    await browser().open(tenant.loginUrl)
  }
  clock.advance({ days: 31 })
  const steps = { tally: new Map<string, number>(), removeOlder: new Map<string, number>() }
  for (const name of ['tally', 'removeOlder'] as const) {
    t.mock.method(events, name, async ({ tenantId }: Resource) => {
      const step = (steps[name].get(tenantId) ?? 0) + 1
      steps[name].set(tenantId, step)
      return tenantId === tenants[0]?.id || step < 3 ? 250 : 0
    })
  }
  const stepsOf = ({ tally, removeOlder }: typeof steps) =>
    tenants.map(({ id }) => [tally.get(id), removeOlder.get(id)])
  await app.sweep()
  assert.deepEqual(stepsOf(steps), [
    [997, 997],
    [3, 3],
  ])
  assert.deepEqual((await everyRow(here)).login_attempts, [], 'a later step')
  await app.sweep()
  assert.deepEqual(stepsOf(steps), [
    [1_996, 1_996],
    [4, 4],
  ])
})

// proves C375
test('sweeps that are due while one runs are that one', async (t) => {
  const { app } = await world(t)
  const resume = Promise.withResolvers<never[]>()
  const list = t.mock.method(app.ctx.stores.ownership, 'listOverdue', () => resume.promise)
  const sweeps = [app.sweep(), app.sweep(), app.sweep()]
  resume.resolve([])
  await Promise.all(sweeps)
  assert.equal(list.mock.callCount(), 1)
  await app.sweep()
  assert.equal(list.mock.callCount(), 2, 'the next one')
})

// proves C376
test('a row that is renewed while the sweep deletes it stays', { skip: sqliteOnly }, async (t) => {
  const { stores, database } = await openTestStorage(t, 'postgres')
  assert.ok(database.engine === 'postgres')
  const { resource, userId } = await signInUser(stores)
  await stores.consents.remember(resource, consentOf(userId))
  const renewing = new Client(database.url)
  await renewing.connect()
  t.after(() => renewing.end())
  await renewing.query(`begin; update consents set at = ${NOW + 60_000}`)
  const sweeping = stores.consents.sweep(NOW + 1, 10)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('the sweep waits', async () => (await raw(database, waiting)).length === 1)
  await renewing.query('commit')
  assert.equal(await sweeping, 0)
  assert.deepEqual(await raw(database, 'select at from consents'), [{ at: String(NOW + 60_000) }])
})
