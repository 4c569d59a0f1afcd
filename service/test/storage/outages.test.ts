import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Client } from 'pg'
import { OutcomeUnknown, Unavailable } from '../../src/domain/api-error.ts'
import type { Counter } from '../../src/domain/limits/counter.ts'
import { openStorage } from '../../src/storage/open.ts'
import { serverConfig } from '../../src/storage/postgres/connection/server-config.ts'
import { BoundedPool } from '../../src/storage/postgres/pool.ts'
import { TIMING } from '../../src/storage/timing.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { isPending } from '../support/faults/held-disk.ts'
import { asAdmin, ENGINES, freshPostgres } from '../support/postgres/engines.ts'
import {
  guest,
  NOW,
  openTestStorage,
  raw,
  refreshOf,
  refreshSession,
  rotation,
  signInUser,
  TEST_TIMING,
} from '../support/postgres/storage.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../support/process/wait-until.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }
const silent = { publish: () => {}, warn: () => {} }

describe('outages', () => {
  for (const engine of ENGINES) {
    test(`[${engine}] closing waits for running work; later calls are Unavailable`, async (t) => {
      const { stores, storage, close } = await openTestStorage(t, engine)
      await storage.follow()
      const [began, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const running = stores.transaction(async (open) => {
        await open.counters.spend(storedUsers, 1, null)
        began.resolve()
        await rest.promise
        return open.counters.spend(storedUsers, 1, null)
      })
      await began.promise
      const waiting = stores.counters.spend(storedUsers, 1, null)
      assert.ok(await isPending(waiting))
      const closing = close()
      assert.ok(await isPending(closing))
      rest.resolve()
      await closing
      assert.equal(await running, 2)
      assert.equal(await waiting, 3)
      for (const late of [
        () => stores.tenants.find('one-two'),
        () => stores.counters.spend(storedUsers, 1, null),
        () => stores.transaction(async () => {}),
        () => stores.resources.findActive('one-two'),
        () => stores.ping(),
      ]) {
        await assert.rejects(late, Unavailable)
      }
    })

    test(`[${engine}] a constraint violation is not reported as an outage`, async (t) => {
      const { stores, profile } = await openTestStorage(t, engine)
      await stores.tenants.create(guest('one-two', profile), [])
      await assert.rejects(
        stores.tenants.create(guest('one-two', profile), []),
        (error) => error instanceof Error && !(error instanceof Unavailable),
      )
    })
  }

  test('[postgres] while PostgreSQL is unreachable every call is Unavailable; afterwards everything works again', async (t) => {
    const proxy = await faultProxy(t, await freshPostgres())
    const { stores, storage, published, warnings } = await openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: proxy.url },
      timing: { healthyMs: 200 },
    })
    const { resource, session } = await signInUser(stores)
    const refresh = await refreshOf(stores, resource, rotation(session, NOW + 1))
    await storage.follow()

    const cutInside = stores.transaction(async (open) => {
      await open.counters.spend(storedUsers, 1, null)
      proxy.cut()
      await waitUntil('the connections have broken', () =>
        warnings.some((text) => text.includes('reconnecting')),
      )
      await open.counters.spend(storedUsers, 1, null)
    })
    await assert.rejects(cutInside, Unavailable)
    await assert.rejects(stores.refresh(refresh), Unavailable)
    await assert.rejects(stores.tenants.find('one-two'), Unavailable)
    await assert.rejects(stores.ping(), Unavailable)
    await waitUntil('the feed is stale', () => storage.staleForMs() > 200)
    assert.ok(warnings.some((text) => text.includes('cannot read revocations')))

    proxy.heal()
    assert.equal(
      (await stores.refresh(refresh)).outcome,
      'refreshed',
      'the failed calls consumed nothing',
    )
    assert.equal(await stores.counters.remove(storedUsers), 0)
    await waitUntil('it is fresh again', () => storage.staleForMs() === 0)
    await waitUntil('long polls of all tenants wake', () =>
      published.some(({ changedTenants }) => changedTenants.includes('*')),
    )

    // Receives what another instance commits now.
    const other = await openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: proxy.url },
    })
    await other.storage.follow()
    await other.stores.sessions.end(resource, session.id, NOW + 2)
    await waitUntil('it receives revocations again', () =>
      published.some(({ revocations }) => revocations.some(({ kind }) => kind === 'session')),
    )
  })

  test('[postgres] a restart of PostgreSQL breaks only idle connections', async (t) => {
    // Without the feed, whose polls could use a connection that has broken (feed.test.ts).
    const { stores, storage, database, warnings } = await openTestStorage(t, 'postgres')
    await Promise.all(Array.from({ length: 5 }, () => stores.tenants.find('one-two')))
    assert.deepEqual(storage.poolStats(), { size: 5, idle: 5, waiting: 0 })
    await asAdmin((admin) =>
      admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'gatehouse'`,
        [new URL((database as { url: string }).url).pathname.slice(1)],
      ),
    )
    await waitUntil('the pool has noticed', () => storage.poolStats()?.size === 0)
    assert.equal(await stores.tenants.find('one-two'), null)
    assert.deepEqual(
      new Set(warnings),
      new Set(['an idle PostgreSQL connection broke; it is replaced when needed']),
    )
  })

  test('[postgres] a commit whose response is lost has an unknown outcome, also that of a login in progress', async (t) => {
    const proxy = await faultProxy(t, await freshPostgres())
    const { stores } = await openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: proxy.url },
    })
    for (const options of [{}, { mayBeLost: true }]) {
      proxy.loseNextCommit()
      const spent = stores.transaction((open) => open.counters.spend(storedUsers, 1, null), options)
      await assert.rejects(spent, (error) => error instanceof OutcomeUnknown)
    }
    assert.equal(await stores.counters.remove(storedUsers), 2, 'both were committed')
  })

  test('[postgres] a hanging listener connection is bypassed, then replaced', async (t) => {
    const url = await freshPostgres()
    const proxy = await faultProxy(t, url)
    const database = { engine: 'postgres', url: proxy.url } as const
    const one = await openTestStorage(t, 'postgres', { database, timing: { listenerMs: 20 } })
    const two = await openTestStorage(t, 'postgres', { database: { engine: 'postgres', url } })
    await Promise.all([one.storage.follow(), two.storage.follow()])
    const { resource, session } = await signInUser(two.stores)
    proxy.blackholeListeners()
    await refreshSession(two.stores, resource, rotation(session, NOW + 1))
    await waitUntil(
      'it receives the revocation through the pool',
      () => one.revocations().length > 0,
    )
    assert.equal(one.storage.staleForMs(), 0)
    assert.deepEqual(one.warnings, [])
    const { now } = performance
    t.mock.method(performance, 'now', () => now.call(performance) + HANG_TIMEOUT_MS)
    await waitUntil('the listener is replaced', () =>
      one.warnings.some((text) => text.includes('reconnecting')),
    )
    await waitUntil('it is fresh again', () =>
      one.published.some(({ changedTenants }) => changedTenants.includes('*')),
    )
  })

  test('[postgres] a network that drops all packets makes calls Unavailable instead of hanging', async (t) => {
    const proxy = await faultProxy(t, await freshPostgres())
    const { stores, close } = await openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: proxy.url },
    })
    const began = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const caught = stores.transaction(async (open) => {
      await open.counters.spend(storedUsers, 1, null)
      began.resolve()
      await rest.promise
      await open.counters.spend(storedUsers, 1, null)
    })
    await began.promise
    proxy.blackhole()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    rest.resolve()
    // First no response arrives, then no connection is made.
    for (const call of [() => caught, () => stores.tenants.find('one-two')]) {
      const called = call()
      assert.ok(await isPending(called))
      t.mock.timers.tick(HANG_TIMEOUT_MS)
      await assert.rejects(called, Unavailable)
    }
    await close()
  })

  test('[postgres] PostgreSQL limits the time of each statement and of an idle transaction', async (t) => {
    const { statementMs, idleInTransactionMs } = TIMING
    const timing = { statementMs, idleInTransactionMs }
    const { stores, database } = await openTestStorage(t, 'postgres', { timing })
    const limits = `current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout')`
    await raw(database, `alter table counters add column limits text default ${limits}`)
    await stores.counters.spend(storedUsers, 1, null)
    assert.deepEqual(await raw(database, 'select limits from counters'), [{ limits: '5s 10s' }])
  })

  test('[postgres] a statement timeout is Unavailable and keeps its connection', async (t) => {
    const url = await freshPostgres()
    const blocker = new Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    await blocker.query('begin')
    await blocker.query('lock table counters')
    const config = serverConfig(url, () => {}, { ...TIMING, ...TEST_TIMING })
    const pool = new BoundedPool({ ...config, max: 1 }, () => {})
    t.after(() => pool.end())
    const inPool = async (...statements: readonly string[]): Promise<unknown> => {
      const client = await pool.connect()
      try {
        let last: unknown
        for (const statement of statements) {
          last = (await client.query(statement, [])).rows
        }
        return last
      } finally {
        client.release()
      }
    }
    const process = await inPool('select pg_backend_pid()')
    const blocked = inPool('begin', `set local statement_timeout = '50ms'`, 'lock table counters')
    await assert.rejects(blocked, (error) => {
      assert.ok(error instanceof Unavailable)
      assert.equal((error.cause as { code: string }).code, '57014')
      return true
    })
    assert.deepEqual(await inPool('rollback', 'select pg_backend_pid()'), process)
    assert.equal(pool.stats.size, 1)
  })

  test('[postgres] at most 256 calls wait for a connection; the others are rejected at once', async (t) => {
    const { stores, storage } = await openTestStorage(t, 'postgres')
    const free = Promise.withResolvers<void>()
    let held = 0
    const holding = Array.from({ length: 8 }, () =>
      stores.transaction(() => {
        held += 1
        return free.promise
      }),
    )
    await waitUntil('all connections are taken', () => held === 8)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const outcomes: string[] = []
    const waiting = Array.from({ length: 300 }, () =>
      stores.tenants.find('one-two').then(
        () => outcomes.push('found'),
        (error) => outcomes.push(error instanceof Unavailable ? 'unavailable' : 'broken'),
      ),
    )
    while (outcomes.length < 44) {
      await setImmediate()
    }
    assert.deepEqual(storage.poolStats(), { size: 8, idle: 0, waiting: 256 })
    assert.deepEqual(
      outcomes,
      Array.from({ length: 44 }, () => 'unavailable'),
    )
    t.mock.timers.tick(HANG_TIMEOUT_MS)
    await Promise.all(waiting)
    assert.deepEqual(
      outcomes,
      Array.from({ length: 300 }, () => 'unavailable'),
    )
    free.resolve()
    await Promise.all(holding)
    assert.equal(await stores.tenants.find('one-two'), null)
  })

  test('[postgres] an integer beyond 2^53 is an error', async (t) => {
    const { stores, database } = await openTestStorage(t, 'postgres')
    await stores.counters.spend(storedUsers, 1, null)
    await raw(database, 'update counters set used = 9007199254740992')
    await assert.rejects(stores.counters.spend(storedUsers, 1, null), RangeError)
    await raw(database, 'update counters set used = 9007199254740990')
    assert.equal(await stores.counters.spend(storedUsers, 1, null), Number.MAX_SAFE_INTEGER)
  })

  test('[postgres] a start without a server is Unavailable', async () => {
    await assert.rejects(
      openStorage({
        database: { engine: 'postgres', url: 'postgres://postgres@127.0.0.1:1/none' },
        ...silent,
      }),
      Unavailable,
    )
  })

  test('[sqlite] waiting for the write lock of another process does not block the event loop and ends in Unavailable', async (t) => {
    const { stores, database } = await openTestStorage(t, 'sqlite')
    const { stores: hasty } = await openTestStorage(t, 'sqlite', {
      database,
      timing: { busyMs: 20 },
    })
    assert.ok(database.engine === 'sqlite')
    const other = new DatabaseSync(database.file)
    t.after(() => other.close())
    other.exec('begin immediate')
    const start = performance.now()
    await assert.rejects(hasty.counters.spend(storedUsers, 1, null), Unavailable)
    assert.ok(performance.now() - start >= 20)
    assert.equal(await stores.tenants.find('one-two'), null, 'reads still work')
    const retried = stores.counters.spend(storedUsers, 1, null)
    assert.ok(await isPending(retried))
    other.exec('rollback')
    assert.equal(await retried, 1)
  })

  test('[sqlite] a full disk is Unavailable and consumes nothing; writes work again when there is space', async (t) => {
    const connections = new Set<DatabaseSync>()
    const { exec } = DatabaseSync.prototype
    t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
      connections.add(this)
      exec.call(this, sql)
    })
    const { stores, database } = await openTestStorage(t, 'sqlite')
    assert.ok(database.engine === 'sqlite')
    const { resource, session } = await signInUser(stores)
    const limitPages = (pages: number): void => {
      for (const each of connections) {
        if (each.isOpen && each.location() === database.file) {
          each.exec(`pragma max_page_count = ${pages}`)
        }
      }
    }

    limitPages(1)
    const filling = stores.transaction(async (open) => {
      await open.sessions.end(resource, session.id, NOW + 1)
      for (let count = 0; count < 1_000; count += 1) {
        await open.counters.spend(
          { ...storedUsers, scope: `tenant:${'x'.repeat(500)}${count}` },
          1,
          null,
        )
      }
    })
    await assert.rejects(filling, Unavailable)
    assert.deepEqual(await stores.sessions.find(resource, session.id), session)
    limitPages(1_000_000)
    assert.equal(
      (await refreshSession(stores, resource, rotation(session, NOW + 1)))?.generation,
      1,
    )
  })
})
