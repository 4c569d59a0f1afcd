import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { failoverFixture } from '../../support/faults/failover.ts'
import { faultProxy } from '../../support/faults/fault-proxy.ts'
import { figure } from '../../support/faults/figures.ts'
import { newTokenPair } from '../../support/faults/fixture.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { startPair } from '../../support/postgres/pg-pair.ts'
import { openTestStorage, raw, signInUser } from '../../support/postgres/storage.ts'
import { failedStart, newTenant, startService } from '../../support/process/service-process.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

const tenantsAt = async (url: string): Promise<number> => {
  const [row] = await raw({ engine: 'postgres', url }, 'select count(*)::integer as n from tenants')
  return Number(row?.n)
}

// proves C362
test('F48: while a former primary still accepts writes, every instance uses its successor, also one that starts', {
  skip: sqliteOnly || slow,
  timeout: 120_000,
}, async (t) => {
  const settings = { VERIFY_STALE_POLICY: 'closed' }
  const fixture = await failoverFixture(t, { synchronous: false, connect: 'hosts', settings })
  const { pair, cluster, app } = fixture
  const [first, second] = cluster.instances
  assert.ok(first && second)
  const kept = await newTokenPair(fixture)
  const former = pair.primary.url
  await pair.promote()
  const promoted = performance.now()
  await waitUntil('both instances use the promoted server', async () => {
    const texts = await Promise.all(
      cluster.instances.map(async ({ agent }) => (await agent.call('GET', '/metrics')).text),
    )
    return texts.every((text) => /^gatehouse_database_timeline 2$/m.test(text))
  })
  const moved = performance.now() - promoted
  // The former primary is the first host of DATABASE_URL.
  await second.end('SIGTERM')
  await second.restart()
  const before = await tenantsAt(former)
  for (const instance of cluster.instances) {
    for (let n = 0; n < 3; n++) {
      await newTenant(instance)
    }
  }
  assert.equal(await tenantsAt(former), before, 'nothing is written to the former primary')
  assert.match(
    (await first.agent.call('GET', '/metrics')).text,
    /^gatehouse_database_primaries 2$/m,
  )
  assert.equal(
    (await app.at(second.agent).edge('logout', { refresh_token: kept.refresh_token })).status,
    200,
  )
  await waitUntil(
    'the other instance knows',
    async () => !(await app.at(first.agent).isValid(kept.access_token)),
  )
  figure(
    t,
    `F48: both instances left a primary that still runs ${Math.round(moved)} ms after the promotion`,
  )
})

// proves C362
test('F48: two primaries of which neither continues the other are both refused, until one of them has gone', {
  skip: sqliteOnly || slow,
  timeout: 120_000,
}, async (t) => {
  const pair = await startPair({ synchronous: false })
  t.after(() => pair.stop())
  const former = pair.primary
  const url = `postgres://postgres@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.standby.port}/postgres`
  const timing = { askHostsMs: 100, healthyMs: 500 }
  const { stores, storage, warnings } = await openTestStorage(t, 'postgres', {
    database: { engine: 'postgres', url },
    timing,
  })
  await storage.follow()
  const { resource } = await signInUser(stores)
  // As after two recoveries of one backup: both have a lineage of their own.
  await pair.promote()
  await waitUntil('the promoted server is used', () => storage.timeline() === 2)
  await former.run(
    `update lineage set mark = 'another', ancestors = mark, since_ms = since_ms + 1e12`,
  )
  const refused = 'two PostgreSQL servers accept writes'
  await waitUntil('both are refused', async () => (await storage.problem()) === refused)
  assert.equal(storage.primaries(), 2)
  await assert.rejects(stores.resources.provision('one-two-three', [], 1), Unavailable)
  await assert.rejects(
    stores.transaction(() => Promise.resolve()),
    Unavailable,
  )
  await waitUntil(
    'nothing counts as up to date',
    () => storage.staleForMs() > 0 && storage.unprovenForMs() > 0,
  )
  assert.match(warnings.join('\n'), /two PostgreSQL servers accept writes: refusing all servers/)

  await former.kill()
  await waitUntil('the other one is used', async () => (await storage.problem()) === null)
  assert.equal((await stores.resources.findActive(resource.tenantId))?.id, resource.id)
  assert.equal(storage.timeline(), 2)
  await waitUntil(
    'the revocations are up to date',
    () => storage.staleForMs() === 0 && storage.unprovenForMs() === 0,
  )
})

// proves C364
test('F48: an open transaction on a former primary cannot commit once the process knows of the successor, or of two primaries', {
  skip: sqliteOnly || slow,
  timeout: 120_000,
}, async (t) => {
  const pair = await startPair({ synchronous: false })
  t.after(() => pair.stop())
  const former = pair.primary
  const url = `postgres://postgres@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.standby.port}/postgres`
  const { stores, storage } = await openTestStorage(t, 'postgres', {
    database: { engine: 'postgres', url },
    timing: { askHostsMs: 100 },
  })
  await storage.follow()
  /** A transaction that has written, and waits before its commit. */
  const openTransaction = async (tenantId: string) => {
    const [written, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const outcome = stores
      .transaction(async (open) => {
        await open.resources.provision(tenantId, [], 1)
        written.resolve()
        await rest.promise
      })
      .then(
        () => 'committed',
        (error: unknown) => error,
      )
    await written.promise
    return () => {
      rest.resolve()
      return outcome
    }
  }
  const rowsAt = async (server: { readonly url: string }, tenantId: string): Promise<unknown[]> =>
    raw(
      { engine: 'postgres', url: server.url },
      `select 1 from resources where tenant_id = '${tenantId}'`,
    )

  const commitAtFormer = await openTransaction('one-two-three')
  await pair.promote()
  await waitUntil('the promoted server is used', () => storage.timeline() === 2)
  assert.ok((await commitAtFormer()) instanceof Unavailable)
  assert.deepEqual(await rowsAt(former, 'one-two-three'), [], 'the former primary has no row')
  assert.deepEqual(await rowsAt(pair.primary, 'one-two-three'), [], 'nor has the successor')

  const commitAtRefused = await openTransaction('four-five-six')
  await former.run(
    `update lineage set mark = 'another', ancestors = mark, since_ms = since_ms + 1e12`,
  )
  await waitUntil(
    'both are refused',
    async () => (await storage.problem()) === 'two PostgreSQL servers accept writes',
  )
  assert.ok((await commitAtRefused()) instanceof Unavailable)
  assert.deepEqual(await rowsAt(pair.primary, 'four-five-six'), [])
})

// proves C368
test('F48: while commits wait for a standby that is gone, the instance is not ready and no commit is reported', {
  skip: sqliteOnly || slow,
  timeout: 120_000,
}, async (t) => {
  const pair = await startPair({ synchronous: true })
  t.after(() => pair.stop())
  const { stores, storage } = await openTestStorage(t, 'postgres', {
    database: { engine: 'postgres', url: pair.primary.url },
    timing: { responseMs: 1_000, inDoubtMs: [] },
  })
  await storage.keyChecks.add('1', 'proof')
  await pair.standby.kill()
  await assert.rejects(stores.resources.provision('one-two-three', [], 1), Unavailable)
  storage.requestFailed()
  assert.equal(await storage.problem(), 'the database does not confirm writes')
  await pair.primary.set('synchronous_standby_names', '')
  await waitUntil('it is ready', async () => (await storage.problem()) === null)
})

// proves C369
test('F48: a start waits for a primary for START_WAIT_SECONDS, and without the setting fails at once', {
  skip: sqliteOnly || slow,
  timeout: 120_000,
}, async (t) => {
  const proxy = await faultProxy(t, await freshPostgres())
  proxy.cut()
  const { code, stderr } = await failedStart(t, { DATABASE_URL: proxy.url })
  assert.equal(code, 1)
  assert.match(stderr, /PostgreSQL cannot be used/)
  const starting = startService(t, { DATABASE_URL: proxy.url, START_WAIT_SECONDS: '60' })
  setTimeout(() => proxy.heal(), 2_500)
  const service = await starting
  assert.match(service.output(), /the database cannot be used yet; trying again/)
  assert.equal((await service.agent.call('GET', '/readyz')).status, 200)
})
