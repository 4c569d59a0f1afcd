import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import type { Resource, Stores } from '../../../src/domain/stores/stores.ts'
import { gatehouse } from '../../../src/gatehouse.ts'
import { moveDatabase } from '../../../src/storage/maintenance/move/move.ts'
import { partitionTables } from '../../../src/storage/maintenance/partition.ts'
import { csrfOf } from '../../support/actors/csrf.ts'
import { freshFolder, freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import * as fixtures from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { long, slow } from '../../support/tags.ts'
import { world } from '../../support/world.ts'

const { NOW, openTestStorage, raw } = fixtures
const DAY_MS = 24 * 3_600_000
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`)

/** With a database that is not partitioned, whatever the other tests of the run use. */
async function opened(t: TestContext) {
  const database = { engine: 'postgres', url: await freshPostgres('plain') } as const
  const storage = await openTestStorage(t, 'postgres', { database })
  const partition = (now = NOW) =>
    partitionTables({ database, now, note: () => {}, warn: () => {} })
  const partitions = async (table = 'events') =>
    (await raw(database, `select name from gatehouse_partitions_v1('${table}') order by name`)).map(
      ({ name }) => name,
    )
  return { ...storage, database, partition, partitions }
}

const append = (stores: Stores, resource: Resource, createdAt = NOW): Promise<number> =>
  stores.transaction((open) =>
    fixtures.appendEvent(
      open,
      resource,
      fixtures.newEvent('login_started', { createdAt, userId: 1 }),
    ),
  )

async function idsOf(stores: Stores, resource: Resource): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await stores.events.page(resource, { after: ids.at(-1) ?? 0, limit: 100 })
    if (page.length === 0) {
      return ids
    }
    ids.push(...page.map(({ id }) => id))
  }
}

describe('gatehouse partition', { skip: sqliteOnly || slow }, () => {
  test('partitions events and logins while instances write: no write fails, none is lost, and each login is taken once', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    const other = await openTestStorage(t, 'postgres', { database })
    const { resource, session } = await fixtures.signInUser(stores)
    const written: number[] = []
    let stopping = false
    const appending = [stores, other.stores, stores, other.stores].map(async (each) => {
      while (!stopping) {
        written.push(await append(each, resource))
      }
    })
    const refreshing = (async () => {
      let current = session
      for (let n = 1; !stopping; n++) {
        const next = await fixtures.refreshSession(
          other.stores,
          resource,
          fixtures.rotation(current, NOW + n),
        )
        assert.ok(next)
        current = next
      }
      return current.generation
    })()
    const takes: number[] = []
    const loggingIn = (async () => {
      while (!stopping) {
        const id = `login-${takes.length}`
        assert.ok(await stores.attempts.add(fixtures.startedAttempt('one-two', { id })))
        const taken = await Promise.all(
          [stores, other.stores].map((each) => each.attempts.take(id, NOW)),
        )
        takes.push(taken.filter((attempt) => attempt !== null).length)
      }
    })()
    const more = async (): Promise<void> => {
      const [events, logins] = [written.length + 40, takes.length + 20]
      await waitUntil('more is written', () => written.length >= events && takes.length >= logins)
    }
    await more()
    assert.equal(await partition(), Date.parse('2027-02-01'))
    await more()
    stopping = true
    await Promise.all([...appending, loggingIn])
    const refreshes = await refreshing
    assert.deepEqual(await partitions(), [
      ...[
        'events_2027_02',
        'events_2027_03',
        'events_2027_04',
        'events_before_2027_02',
        'events_default',
      ],
    ])
    assert.deepEqual(await partitions('login_attempts'), [
      ...['login_attempts_2027_02', 'login_attempts_before_2027_02', 'login_attempts_default'],
    ])
    assert.deepEqual(new Set(takes), new Set([1]))
    assert.deepEqual(await raw(database, 'select count(*)::int as logins from login_attempts'), [
      { logins: takes.length },
    ])
    const ids = await idsOf(stores, resource)
    assert.equal(ids.length, written.length + refreshes, 'every acknowledged event is there, once')
    assert.deepEqual(
      [...written].filter((id) => !ids.includes(id)),
      [],
    )
    while ((await stores.events.tally(resource, 250)) > 0) {}
    const total = (await stores.events.daily(resource, '')).reduce(
      (sum, { count }) => sum + count,
      0,
    )
    assert.equal(total, ids.length)
    assert.equal(await partition(), null, 'done before')
  })

  test('waits for a lock in short steps, so that writes continue behind it', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    const { resource } = await fixtures.signInUser(stores)
    const reader = new Client(database.url)
    await reader.connect()
    t.after(() => reader.end())
    await reader.query('begin; select from events limit 1')
    const partitioning = partition()
    await waitUntil('the command waits for the lock', async () => {
      const waiting = `select from pg_locks where relation = 'events'::regclass and not granted`
      return (await raw(database, waiting)).length > 0
    })
    const id = await append(stores, resource)
    assert.deepEqual(await partitions(), [], 'it still waits')
    await reader.query('commit')
    assert.equal(await partitioning, Date.parse('2027-02-01'))
    assert.deepEqual(await idsOf(stores, resource), [id])
  })

  test('what a killed command left rejects no later event, and a second one completes', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    for (const table of ['events', 'login_attempts']) {
      await raw(
        database,
        `alter table ${table} add constraint ${table}_before check (created_at < ${NOW}) not valid`,
      )
    }
    await raw(
      database,
      'create unique index events_by_month on events (resource_id, event, id, tenant_id, created_at)',
    )
    await raw(
      database,
      `update pg_index set indisvalid = false where indexrelid = 'events_by_month'::regclass`,
    )
    const left = async () =>
      (await raw(database, `select from pg_constraint where conname like '%\\_before'`)).length

    const running = new Client(database.url)
    await running.connect()
    await running.query('select pg_advisory_lock(20261117, hashtext(current_schema()))')
    await assert.rejects(partition(), /runs already/)
    const sweep = async () => {
      await stores.events.keepMonths(NOW, null)
      await stores.attempts.keepMonths(NOW)
    }
    await sweep()
    assert.equal(await left(), 2, 'the sweep leaves them to a command that runs')
    await running.end()
    await waitUntil('the lock is free', async () => {
      await sweep()
      return (await left()) === 0
    })
    await partition()
    assert.equal((await partitions()).length, 5)
  })

  test('a command that fails in its last step leaves no constraint, and the next one uses its index', async (t) => {
    const { database, partition, partitions } = await opened(t)
    await raw(database, 'create table events_before_2027_02 (id bigint)')
    await assert.rejects(partition(), /"events_before_2027_02" already exists/)
    assert.deepEqual(
      await raw(database, `select from pg_constraint where conname = 'events_before'`),
      [],
    )
    const index = (name: string) => raw(database, `select '${name}'::regclass::oid::bigint as oid`)
    const built = await index('events_by_month')
    await raw(database, 'drop table events_before_2027_02')
    await partition()
    assert.deepEqual(await index('events_before_2027_02_key'), built)
    assert.equal((await partitions()).length, 5)
    const analyzed = `select relname from pg_class where relname in ('events', 'login_attempts') and reltuples >= 0`
    assert.equal(
      (await raw(database, analyzed)).length,
      2,
      'the planner knows the size of both tables',
    )
  })

  test('keeps the owner and the rights of other roles', async (t) => {
    const { database, partition } = await opened(t)
    const role = `reader_${path.basename(database.url)}`
    await raw(database, `create role ${role}`)
    await raw(database, `grant select on events to ${role}`)
    await partition()
    const [rights] = await raw(
      database,
      `select has_table_privilege('${role}', 'events', 'select') as may_read, has_table_privilege('${role}', 'events', 'insert') as may_write`,
    )
    assert.deepEqual(rights, { may_read: true, may_write: false })
    await raw(database, `drop owned by ${role}; drop role ${role}`)
  })

  test('a move to SQLite takes the events of all partitions', async (t) => {
    const { stores, database, partition, close } = await opened(t)
    const { resource } = await fixtures.signInUser(stores)
    const before = await append(stores, resource)
    await partition()
    const ids = [
      before,
      await append(stores, resource, at('2027-03-10')),
      await append(stores, resource, at('2031-01-01')),
    ]
    await close()
    const file = path.join(await freshFolder(), 'gatehouse.db')
    const to = { engine: 'sqlite', file } as const
    await moveDatabase({
      from: database,
      to,
      dryRun: false,
      now: NOW,
      progress: () => {},
      warn: () => {},
    })
    const moved = await openTestStorage(t, 'sqlite', { database: to })
    assert.deepEqual(await idsOf(moved.stores, resource), ids)
  })
})

const STEPS = ['Building', 'Checking', 'Partitioning']

test('the command says what it did, and that SQLite has no partitions', {
  skip: sqliteOnly || slow,
}, async () => {
  const run = async (env: NodeJS.ProcessEnv) => {
    const output: string[] = []
    const stream = { write: (text: string) => output.push(text) > 0, isTTY: false }
    const code = await gatehouse(['partition'], env, { stdout: stream, stderr: stream })
    return { code, output: output.join('') }
  }
  const DATA_DIR = await freshFolder()
  const postgres = { DATA_DIR, DATABASE_URL: await freshPostgres('plain') }
  const first = await run(postgres)
  assert.deepEqual(
    [first.code, first.output.replaceAll(/(?<=^\w+) .*$/gm, '').split('\n')],
    [0, [...STEPS, ...STEPS, 'Events', '']],
  )
  assert.deepEqual(await run(postgres), {
    code: 0,
    output: 'Events and login attempts are partitioned by month already. Nothing was changed.\n',
  })
  const sqlite = await run({ DATA_DIR })
  assert.deepEqual(
    [sqlite.code, /SQLite, which has no partitions\. Set DATABASE_URL/.test(sqlite.output)],
    [1, true],
  )
})

test('the sweep of a service creates the months of events and logins', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const { app, clock, config } = await world(t, { engine: 'postgres' })
  const database = { engine: 'postgres', url: config.databaseUrl ?? '' } as const
  await partitionTables({ database, now: clock.now(), note: () => {}, warn: () => {} })
  clock.advance({ ms: 62 * DAY_MS })
  await app.sweep()
  const month = new Date(clock.now()).toISOString().slice(0, 7).replace('-', '_')
  for (const table of ['events', 'login_attempts']) {
    assert.ok(
      (await raw(database, `select to_regclass('${table}_${month}') as name`))[0]?.name,
      `${table} ${month}`,
    )
  }
})

describe('partitioned logins', { skip: sqliteOnly || slow }, () => {
  test('the sweep creates the next month, and drops a month a day after its end', async (t) => {
    const { stores, partition, partitions } = await opened(t)
    await partition()
    const months = async (now: string) => {
      await stores.attempts.keepMonths(Date.parse(now))
      return (await partitions('login_attempts')).map((name) =>
        String(name).replace('login_attempts_', ''),
      )
    }
    assert.deepEqual(await months('2027-02-01T23:59:59.999Z'), [
      '2027_02',
      '2027_03',
      'before_2027_02',
      'default',
    ])
    assert.deepEqual(await months('2027-02-02'), ['2027_02', '2027_03', 'default'])
    assert.deepEqual(await months('2027-03-15'), ['2027_03', '2027_04', 'default'])
    await Promise.all(Array.from({ length: 4 }, () => stores.attempts.keepMonths(at('2029-01-01'))))
    assert.deepEqual(
      await months('2029-01-02'),
      ['2029_01', '2029_02', 'default'],
      'instances that sweep together',
    )
  })

  test('two instances drop a month at once, and neither sweep fails', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    const other = await openTestStorage(t, 'postgres', { database })
    await partition()
    // A sign-in that is under way: both sweeps wait for it, for less than their half second.
    const login = new Client(database.url)
    await login.connect()
    t.after(() => login.end())
    await login.query('begin; select from login_attempts')
    const dropped = Promise.all(
      [stores, other.stores].map(({ attempts }) => attempts.keepMonths(at('2027-02-03'))),
    )
    const waiting = `select from pg_locks where relation = 'login_attempts'::regclass and not granted`
    const waited = waitUntil('both wait', async () => (await raw(database, waiting)).length === 2)
    await Promise.race([dropped, waited])
    await login.query('commit')
    await dropped
    await stores.attempts.keepMonths(at('2027-02-03'))
    assert.equal(
      (await partitions('login_attempts')).includes('login_attempts_before_2027_02'),
      false,
    )
  })

  test('a sweep beside a session that keeps a month locked does not fail, and the next one drops the month', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    await partition()
    const other = new Client(database.url)
    await other.connect()
    t.after(() => other.end())
    await other.query(
      'begin; lock table login_attempts_before_2027_02, events_before_2027_02 in access exclusive mode',
    )
    const sweep = async () => {
      await stores.attempts.keepMonths(at('2027-02-03'))
      await stores.events.keepMonths(at('2027-02-03'), at('2027-02-02'))
    }
    await sweep()
    assert.equal(
      (
        await raw(database, `select to_regclass('login_attempts_before_2027_02') is null as gone`)
      )[0]?.gone,
      false,
    )
    await other.query('commit')
    await sweep()
    assert.equal(
      (await partitions('login_attempts')).includes('login_attempts_before_2027_02'),
      false,
    )
  })

  test('a month that the role may not drop keeps no later one from being created, and fails no sweep', async (t) => {
    const { stores, database, partition, partitions } = await opened(t)
    await partition()
    await raw(
      database,
      `create function refuse() returns event_trigger language plpgsql as
        $$ begin raise insufficient_privilege; end $$; create event trigger refuse on sql_drop execute function refuse()`,
    )
    await stores.attempts.keepMonths(at('2027-03-15'))
    assert.deepEqual(await partitions('login_attempts'), [
      ...['login_attempts_2027_02', 'login_attempts_2027_03', 'login_attempts_2027_04'],
      ...['login_attempts_before_2027_02', 'login_attempts_default'],
    ])
  })

  test('two presses of Use another account at once, of a login from the month before, get the same redirect', async (t) => {
    const { agent, browser, clock, config } = await world(t, { engine: 'postgres' })
    const database = { engine: 'postgres', url: config.databaseUrl ?? '' } as const
    await partitionTables({ database, now: clock.now(), note: () => {}, warn: () => {} })
    const month = new Date(clock.now())
    const ends = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)
    clock.advance({ ms: ends - 300_000 - clock.now() })
    const person = browser()
    await person.open((await agent.createTenant()).loginUrl)
    await person.press('Ada Lovelace')
    const placed = () =>
      raw(database, 'select tableoid::regclass::text as place from login_attempts')
    const [before] = await placed()
    clock.advance({ ms: ends + 30_000 - clock.now() })
    const holding = new Client(database.url)
    await holding.connect()
    t.after(() => holding.end())
    await holding.query('begin; select from login_attempts for update')
    const body = new URLSearchParams({ csrf: csrfOf(person), decision: 'other' })
    const headers = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }
    const presses = [1, 2].map(() =>
      person.request(person.page.url, { method: 'POST', headers, body }),
    )
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await waitUntil('both wait', async () => (await raw(database, waiting)).length === 2)
    await holding.query('commit')
    const [one, two] = await Promise.all(presses)
    assert.deepEqual([one?.status, two?.status], [303, 303])
    assert.equal(one?.headers.get('location'), two?.headers.get('location'))
    const after = await placed()
    assert.deepEqual(
      [after.length, after[0]?.place === before?.place],
      [1, false],
      'one login, in its new month',
    )
  })

  test('an attempt is found, taken once, restarted in the next month, decided and swept wherever it is', async (t) => {
    const { stores, database, partition } = await opened(t)
    const { attempts } = stores
    await partition()
    const ends = Date.parse('2027-02-01')
    const places = { first: ends - 60_000, next: ends + 5, default: at('2031-01-01') }
    for (const [id, createdAt] of Object.entries(places)) {
      const attempt = fixtures.startedAttempt('one-two', {
        id,
        createdAt,
        expiresAt: createdAt + 600_000,
      })
      assert.deepEqual(
        await Promise.all([attempts.add(attempt), attempts.add(attempt)]).then(sorted),
        [false, true],
      )
      assert.deepEqual(await attempts.find(id, createdAt), attempt)
      const taken = await Promise.all([1, 2, 3].map(() => attempts.take(id, createdAt)))
      assert.equal(taken.filter((each) => each !== null).length, 1)
      const known = { profile: fixtures.googleProfile('ada'), hostedDomain: '', remember: false }
      assert.equal(await attempts.identify(attempt, known, createdAt), true)
    }
    const [first, restarted] = ['first', 'again'].map((id) =>
      fixtures.startedAttempt('one-two', { id }),
    )
    assert.ok(first && restarted)
    const into = { id: restarted.id, createdAt: ends + 9, expiresAt: ends + 600_000 }
    assert.deepEqual(
      [await attempts.restart(first, into), await attempts.restart(first, into)],
      [true, false],
    )
    const rows = `select tableoid::regclass::text as place from login_attempts where id = 'again'`
    assert.deepEqual(await raw(database, rows), [{ place: 'login_attempts_2027_02' }])
    const next = fixtures.startedAttempt('one-two', { id: 'next' })
    assert.deepEqual(
      [
        await attempts.decide(next, 'authorize', ends + 9),
        await attempts.decide(next, 'authorize', ends + 9),
      ],
      [true, false],
    )
    assert.equal(await attempts.sweep(at('2027-03-01'), 10), 2)
    assert.equal(await attempts.sweep(at('2031-02-01'), 10), 1)
  })
})

const sorted = (facts: readonly boolean[]): boolean[] =>
  facts.toSorted((a, b) => Number(a) - Number(b))

describe('a partitioned history', { skip: sqliteOnly || slow }, () => {
  test('the sweep creates the next months before they begin, and an event of any other month is stored too', async (t) => {
    const { stores, partition, partitions } = await opened(t)
    const { resource } = await fixtures.signInUser(stores)
    await partition()
    await stores.events.keepMonths(at('2027-03-31'), null)
    assert.deepEqual((await partitions()).slice(0, 5), [
      ...['events_2027_02', 'events_2027_03', 'events_2027_04', 'events_2027_05', 'events_2027_06'],
    ])
    const ids = []
    for (const day of ['2026-12-01', '2027-04-30', '2028-02-29']) {
      ids.push(await append(stores, resource, at(day)))
    }
    assert.deepEqual(await idsOf(stores, resource), ids)
    await stores.events.keepMonths(at('2028-02-10'), null)
    assert.ok(
      !(await partitions()).includes('events_2028_02'),
      'its event is in the default partition, and stays there',
    )
    assert.ok((await partitions()).includes('events_2028_03'))
    assert.deepEqual(await idsOf(stores, resource), ids)
    await Promise.all(
      Array.from({ length: 4 }, () => stores.events.keepMonths(at('2029-01-01'), null)),
    )
    assert.ok((await partitions()).includes('events_2029_04'), 'instances that sweep together')
  })

  test('with a retention, whole months are dropped once they are tallied, and no total changes', async (t) => {
    const { stores, partition, partitions } = await opened(t)
    const { resource } = await fixtures.signInUser(stores)
    const ids = [await append(stores, resource, at('2027-01-10'))]
    await partition()
    for (const day of ['2027-01-20', '2027-02-05', '2027-03-05']) {
      ids.push(await append(stores, resource, at(day)))
    }
    const keep = (from: string) => stores.events.keepMonths(at('2027-03-31'), Date.parse(from))

    assert.equal(
      await keep('2027-01-15'),
      Date.parse('2027-01-15'),
      'rows of the first partition, which has several months',
    )
    assert.equal(await keep('2027-02-15'), null, 'from then on no row is deleted by itself')
    assert.deepEqual(await idsOf(stores, resource), ids, 'not tallied')
    while ((await stores.events.tally(resource, 250)) > 0) {}
    const totals = await stores.events.daily(resource, '')
    await keep('2027-02-15')
    assert.deepEqual(
      await idsOf(stores, resource),
      ids.slice(2),
      'February has not ended for long enough',
    )
    await keep('2027-03-01')
    assert.deepEqual(await idsOf(stores, resource), ids.slice(3))
    assert.deepEqual((await partitions())[0], 'events_2027_03')
    assert.deepEqual(await stores.events.daily(resource, ''), totals)
    await append(stores, resource, NOW + 5_000 * DAY_MS)
    assert.equal(
      await keep('2027-04-01'),
      Date.parse('2027-04-01'),
      'rows of the default partition',
    )
  })

  test('all tests of the history and of statements pass on it', { skip: long }, async () => {
    const files = [
      'social-login/insights',
      'social-login/social-login',
      'social-login/refresh',
      'social-login/last-seen',
    ]
    const tests = [
      ...files,
      'statements/query-plans',
      'tenants/tenant-lifecycle',
      'concurrency',
    ].map((file) => path.join(import.meta.dirname, '..', `${file}.test.ts`))
    const child = spawn(
      process.execPath,
      ['--test', '--test-isolation=none', '--test-name-pattern=postgres', ...tests],
      {
        env: { ...process.env, TEST_PARTITIONED: 'true', NODE_TEST_CONTEXT: '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += String(chunk)))
    }
    const [code] = await once(child, 'close')
    assert.equal(code, 0, output.slice(-4_000))
    assert.match(output, /pass [1-9]\d/)
  })
})
