import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client } from 'pg'
import { loginStarted } from '../../src/domain/events/auth-event.ts'
import { ALL_GENERATIONS, type Revocation } from '../../src/domain/revocation/revocation.ts'
import { WakeUps } from '../../src/storage/postgres/feed/wake-ups.ts'
import { TIMING } from '../../src/storage/timing.ts'
import { stopTime } from '../support/clock.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import {
  appendEvent,
  guest,
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
  type TestStorage,
} from '../support/postgres/storage.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../support/process/wait-until.ts'

const started = loginStarted(
  { redirectUri: 'https://app.example.com/cb', returnTo: null, provider: 'google' },
  NOW,
)
/** Without duplicates: while another transaction runs, the feed may publish a row twice. */
const sorted = (revocations: readonly Revocation[]) =>
  [...new Set(revocations.map((revocation) => JSON.stringify(revocation)))].sort()

/** Causes one revocation of each kind. */
async function causeRevocations({ stores, profile }: TestStorage): Promise<void> {
  const { resource, session } = await signInUser(stores)
  await stores.tenants.create(guest('one-two', profile), [])
  await refreshSession(stores, resource, rotation(session, NOW + 1))
  await stores.sessions.end(resource, session.id, NOW + 2)
  await stores.tenants.pause('one-two', 'lifetime_events', NOW + 3)
  await stores.resources.markDeleted(resource.tenantId, NOW + 4)
}

describe('the feed', () => {
  for (const engine of ENGINES) {
    test(`[${engine}] a start publishes every unexpired revocation and no expired one`, async (t) => {
      const before = await openTestStorage(t, engine)
      const { resource, session } = await signInUser(before.stores, 'old-tenant')
      // Expired by the database's clock too, which is behind the clock of this test.
      const longAgo = Date.now() - 2 * HOUR_MS
      const expired = await before.stores.sessions.start(
        resource,
        newSession(1, { rotatedAt: longAgo }),
      )
      await before.stores.sessions.end(resource, expired.id, longAgo)
      await causeRevocations(before)
      await before.close()

      const after = await openTestStorage(t, engine, { database: before.database })
      assert.deepEqual(after.published, [])
      await after.storage.follow()
      const expected = before.revocations().filter(({ until }) => until > NOW)
      assert.equal(expected.length, before.revocations().length - 1)
      assert.deepEqual(sorted(after.revocations()), sorted(expected))
      assert.notEqual(await after.stores.sessions.find(resource, session.id), null)
    })

    test(`[${engine}] a start loads every revocation, also when the last page is full or has one row`, async (t) => {
      const { database } = await openTestStorage(t, engine)
      for (const [first, last] of [
        [1, 1_000],
        [1_001, 1_001],
      ]) {
        await raw(
          database,
          `with recursive series(id) as (select ${first} union all select id + 1 from series where id < ${last})
            insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
            select 'session', 't', id, 1, ${NOW + HOUR_MS} from series`,
        )
        const { storage, revocations } = await openTestStorage(t, engine, { database })
        await storage.follow()
        const about = new Set(
          revocations().map((revocation) =>
            revocation.kind === 'session' ? revocation.sessionId : null,
          ),
        )
        assert.deepEqual([about.size, about.has(1), about.has(last ?? 0)], [last, true, true])
      }
    })

    test(`[${engine}] another instance receives revocations, on PostgreSQL without waiting for its next poll`, async (t) => {
      const one = await openTestStorage(t, engine)
      const timing = { pollMs: HANG_TIMEOUT_MS }
      const two = await openTestStorage(t, engine, { database: one.database, timing })
      await Promise.all([one.storage.follow(), two.storage.follow()])
      await causeRevocations(one)
      await waitUntil(
        'the second instance has them',
        () => sorted(two.revocations()).length === sorted(one.revocations()).length,
      )
      assert.deepEqual(sorted(two.revocations()), sorted(one.revocations()))
      const generations = two
        .revocations()
        .map((revocation) => (revocation.kind === 'session' ? revocation.generation : null))
      assert.ok(generations.includes(ALL_GENERATIONS))
    })

    test(`[${engine}] new events wake other instances, and not the one that recorded them`, async (t) => {
      const one = await openTestStorage(t, engine)
      const two = await openTestStorage(t, engine, { database: one.database })
      const { resource } = await signInUser(one.stores)
      await Promise.all([one.storage.follow(), two.storage.follow()])
      await appendEvent(one.stores, resource, started)
      const woken = engine === 'postgres' ? resource.tenantId : '*'
      await waitUntil('the second instance is woken', () =>
        two.published.some(({ changedTenants }) => changedTenants.includes(woken)),
      )
      assert.equal((await two.stores.events.page(resource, { after: 0, limit: 10 })).length, 1)
      // PostgreSQL has sent the first instance its own notification, before the response to its next poll.
      await one.storage.catchUp()
      const { tenantId } = resource
      const deliverable = [{ tenantId, kinds: ['login_started'] }]
      assert.deepEqual(one.published, [
        { revocations: [], changedTenants: [tenantId], deliverable },
      ])
    })

    test(`[${engine}] revocations are swept when no valid token needs them`, async (t) => {
      const one = await openTestStorage(t, engine)
      await causeRevocations(one)
      assert.equal(await one.stores.sweepRevocations(NOW, 10), 0)
      const ends = one.revocations().map(({ until }) => until)
      assert.equal(await one.stores.sweepRevocations(Math.min(...ends), 10), 1)
      assert.equal(await one.stores.sweepRevocations(Math.max(...ends), 1), 1)
      assert.equal(await one.stores.sweepRevocations(Math.max(...ends), 10), 2)
      assert.equal(await one.stores.sweepRevocations(Math.max(...ends), 10), 0)
    })

    test(`[${engine}] the feed stays fresh, measures the clock, and closes`, async (t) => {
      const { storage, close } = await openTestStorage(t, engine)
      const began = performance.now()
      await storage.follow()
      // Both clocks are this machine's, so the error of the measurement is at most the time that it took.
      assert.ok(Math.abs(storage.clockSkewMs()) <= performance.now() - began)
      t.mock.method(
        Date,
        'now',
        () => performance.timeOrigin + performance.now() + 2 * HANG_TIMEOUT_MS,
      )
      assert.equal(storage.staleForMs() > 0, engine === 'postgres', 'SQLite is on this machine')
      await waitUntil('the next poll makes it fresh', () => storage.staleForMs() === 0)
      await close()
    })

    test(`[${engine}] a subscriber that throws does not undo a commit`, async (t) => {
      const first = await openTestStorage(t, engine)
      const publish = () => {
        throw new Error('a bug')
      }
      const { stores, warnings } = await openTestStorage(t, engine, {
        database: first.database,
        publish,
      })
      const { resource, session } = await signInUser(first.stores)
      assert.equal(
        (await refreshSession(stores, resource, rotation(session, NOW + 1)))?.generation,
        1,
      )
      assert.deepEqual(warnings, ['committed events could not be published'])
    })
  }

  const insertRevocation = (session: number) =>
    `insert into revocations (kind, tenant_id, subject_id, generation, until_ms) values ('session', 't', ${session}, 1, ${NOW + HOUR_MS})`

  test('[postgres] a revocation of a slow transaction that commits after later ones is not missed', async (t) => {
    const { storage, revocations, database } = await openTestStorage(t, 'postgres')
    assert.ok(database.engine === 'postgres')
    const slow = new Client(database.url)
    const quick = new Client(database.url)
    await Promise.all([slow.connect(), quick.connect()])
    t.after(() => Promise.all([slow.end(), quick.end()]))
    // Some rows are published twice, so that none is missed.
    const about = () => [
      ...new Set(
        revocations().map((revocation) =>
          revocation.kind === 'session' ? revocation.sessionId : null,
        ),
      ),
    ]

    // One transaction is open during the load, which does not see its row; another one commits after it.
    await slow.query('begin')
    await slow.query(insertRevocation(1))
    await quick.query(insertRevocation(2))
    await storage.follow()
    assert.deepEqual(about(), [2])
    await quick.query(insertRevocation(3))
    // Each poll begins where the one before ended.
    for (let polls = 0; polls < 3; polls += 1) {
      await storage.catchUp()
    }
    assert.deepEqual(about(), [2, 3])
    await slow.query('commit')
    await storage.catchUp()
    assert.deepEqual(about(), [2, 3, 1])
  })

  test('[postgres] the feed is as old as the question: a machine that slept before the response is not up to date', async (t) => {
    const { storage, database } = await openTestStorage(t, 'postgres', {
      timing: { pollMs: 2 ** 30 },
    })
    assert.ok(database.engine === 'postgres')
    const other = new Client(database.url)
    await other.connect()
    t.after(() => other.end())
    await storage.follow()
    await other.query('begin; lock table revocations in access exclusive mode')
    const asking = storage.catchUp()
    await waitUntil('the question waits', async () => {
      const { rowCount } = await other.query(
        `select from pg_locks where not granted and relation = 'revocations'::regclass`,
      )
      return rowCount === 1
    })
    t.mock.method(Date, 'now', () => performance.timeOrigin + performance.now() + HOUR_MS)
    await other.query('commit')
    await asking
    assert.ok(storage.staleForMs() >= HOUR_MS)
    await storage.catchUp()
    assert.equal(storage.staleForMs(), 0)
  })

  test('[postgres] revocations are read again after a lost connection, because the server may reuse transaction ids', async (t) => {
    const { storage, revocations, database } = await openTestStorage(t, 'postgres')
    const isKnown = (id: number): boolean =>
      revocations().some((each) => each.kind === 'session' && each.sessionId === id)
    await storage.follow()
    await raw(database, insertRevocation(1))
    await waitUntil('the feed works', () => isKnown(1))
    // As after a crash: the id of a transaction that was lost, older than the last poll.
    await raw(
      database,
      insertRevocation(2).replace('until_ms)', 'until_ms, txid)').replace(/\)$/, ", '700')"),
    )
    await raw(database, insertRevocation(3))
    await waitUntil('a poll has run', () => isKnown(3))
    assert.equal(isKnown(2), false, 'only a replaced server reuses an id')
    await raw(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await waitUntil('all rows are read again', () => isKnown(2))
  })

  test('[postgres] an instance whose clock is far ahead misses no revocation', async (t) => {
    const { storage, revocations, database } = await openTestStorage(t, 'postgres', {
      now: NOW + 100 * HOUR_MS,
    })
    const isKnown = (id: number): boolean =>
      revocations().some((each) => each.kind === 'session' && each.sessionId === id)
    await raw(database, insertRevocation(1))
    await storage.follow()
    assert.ok(isKnown(1))
    await raw(database, insertRevocation(2))
    await waitUntil('the later one is seen', () => isKnown(2))
  })

  test('[postgres] clock skew is reported before the start completes and at every poll', async (t) => {
    const measured: number[] = []
    const clockMeasured = (skewMs: number) => void measured.push(skewMs)
    const { storage } = await openTestStorage(t, 'postgres', { clockMeasured })
    const began = performance.now()
    await storage.follow()
    const before = measured.length
    assert.ok(before > 0)
    await waitUntil('it is measured again', () => measured.length > before)
    // Both clocks are this machine's, so the error of a measurement is at most the time that it took.
    const took = performance.now() - began
    for (const skewMs of measured) {
      assert.ok(Number.isInteger(skewMs) && Math.abs(skewMs) <= took, `${skewMs}`)
    }
  })

  test('[postgres] notifications are merged, sent at intervals, and limited in size', async (t) => {
    const pass = stopTime(t)
    const sent: string[] = []
    const wakeUps = new WakeUps(async (payload) => void sent.push(payload), 20)
    wakeUps.add(['a'])
    wakeUps.add(['b', 'a'])
    pass(1)
    await nextTurn()
    assert.deepEqual(sent, ['a,b'])
    wakeUps.add([])
    pass(19)
    await nextTurn()
    assert.deepEqual(sent, ['a,b'])
    pass(1)
    await nextTurn()
    assert.deepEqual(sent, ['a,b', ''])

    wakeUps.add(Array.from({ length: 400 }, (_, index) => `swift-fox-running-${index}`))
    await wakeUps.flush()
    assert.deepEqual(sent, ['a,b', '', '*'])
  })

  test('[postgres] a notification that could not be sent wakes all tenants later', async (t) => {
    const pass = stopTime(t)
    const sent: string[] = []
    let down = true
    const wakeUps = new WakeUps(async (payload) => {
      sent.push(payload)
      if (down) {
        throw new Error('down')
      }
    }, 20)
    wakeUps.add(['a'])
    pass(20)
    await nextTurn()
    assert.deepEqual(sent, ['a'])
    pass(100)
    await nextTurn()
    assert.deepEqual(sent, ['a'], 'it is not sent again before the connection is back')
    down = false
    wakeUps.resume()
    pass(20)
    await nextTurn()
    assert.deepEqual(sent, ['a', '*'])
  })

  test('by default, a revocation reaches another instance within 2 s, also if no notification arrives', () => {
    const { pollMs, minPollMs, listenerMs, sqlitePollMs } = TIMING
    assert.ok(pollMs + minPollMs + listenerMs < 2_000)
    assert.ok(sqlitePollMs < 2_000)
  })
})
