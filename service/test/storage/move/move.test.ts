import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Move, moveDatabase } from '../../../src/storage/maintenance/move/move.ts'
import { movedTables } from '../../../src/storage/maintenance/move/schema.ts'
import { MoveRefused } from '../../../src/storage/maintenance/move/sides.ts'
import { contentOf, fillEveryTable, LAST_ID } from '../../support/move/every-table.ts'
import {
  emptyPostgres,
  freshFolder,
  freshPostgres,
  sqliteOnly,
} from '../../support/postgres/engines.ts'
import { guest, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'

type Location = Move['from']

const MOVED = 'gatehouse.db.moved-2027-01-15T12-00-00'

const ID_FLOOR = 5_000_000

/** The first id of a user of a tenant that has none; nothing is stored. */
async function nextUserId(t: TestContext, database: Location): Promise<number | null> {
  const { stores, close } = await openTestStorage(t, database.engine, { database })
  const spent = Promise.withResolvers<number | null>()
  await stores
    .transaction(async ({ counters }) => {
      spent.resolve(
        await counters.nextId({ scope: 'tenant:new-one', window: 'user-ids', start: 0 }),
      )
      throw new Error('roll back')
    })
    .catch(() => {})
  await close()
  return spent.promise
}

const run = (from: Location, to: Location, options: Partial<Move> = {}) =>
  moveDatabase({
    from,
    to,
    dryRun: false,
    now: NOW,
    progress: () => {},
    warn: () => {},
    ...options,
  })

/** A SQLite file that has rows in every table. */
async function filledSqlite(t: TestContext): Promise<Location & { file: string }> {
  const file = path.join(await freshFolder(), 'gatehouse.db')
  const { close } = await openTestStorage(t, 'sqlite', { database: { engine: 'sqlite', file } })
  await close()
  await fillEveryTable(file)
  await raw(
    { engine: 'sqlite', file },
    `insert into lineage (id, system_id, timeline, mark, since_ms, id_floor) values (1, '', 0, '', 1, ${ID_FLOOR})`,
  )
  return { engine: 'sqlite', file }
}

const blockFor = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const postgresAt = (url: string): Location & { url: string } => ({ engine: 'postgres', url })

/** Every file of the folder, byte for byte. */
const files = (folder: string): (readonly [string, Buffer])[] =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(path.join(folder, name))])

test('a move takes every table with every value from SQLite to PostgreSQL and back, and deleted ids stay spent', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite = await filledSqlite(t)
  const before = await contentOf(sqlite)
  const tables = Object.keys(before)
  for (const table of tables) {
    assert.equal((before[table] as unknown[]).length, 3, `${table} has rows`)
  }
  const postgres = postgresAt(await emptyPostgres())
  const steps: number[] = []

  const there = await run(sqlite, postgres, { progress: (done, total) => steps.push(done / total) })
  assert.deepEqual(await contentOf(postgres), before)
  assert.deepEqual(
    there.tables.map(({ name, rows }) => [name, rows]).toSorted(),
    tables.map((name) => [name, 3]).toSorted(),
  )
  assert.equal(steps.at(-1), 1)
  assert.deepEqual(steps, steps.toSorted(), 'progress only grows')
  assert.deepEqual(readdirSync(path.dirname(sqlite.file)), [MOVED])
  assert.match(there.source ?? '', new RegExp(MOVED))
  const [row] = await raw(
    postgres,
    `insert into accounts (issuer, subject, email, created_at, last_seen) values ('i', 's', 'e', 1, 1) returning id`,
  )
  assert.equal(Number(row?.id), LAST_ID + 1)
  await raw(postgres, 'delete from accounts where id > 3')

  assert.equal(
    await nextUserId(t, postgres),
    ID_FLOOR + 1,
    'a floor for the ids of users and events moves too',
  )

  const back: Location = {
    engine: 'sqlite',
    file: path.join(await freshFolder(), 'data', 'gatehouse.db'),
  }
  await run(postgres, back)
  assert.deepEqual(readdirSync(path.dirname(back.file)), ['gatehouse.db'])
  assert.deepEqual(await contentOf(back), before)
  assert.equal((statSync(back.file).mode & 0o777).toString(8), '600')
  assert.equal((await raw(back, 'pragma integrity_check'))[0]?.integrity_check, 'ok')
  const positions = await raw(back, 'select name, seq from sqlite_sequence')
  for (const { name, seq } of positions) {
    assert.equal(seq, name === 'accounts' ? LAST_ID + 1 : LAST_ID, String(name))
  }
  assert.ok(positions.length > 5)
  assert.equal(await nextUserId(t, back), ID_FLOOR + 1)
})

test('every table of either engine is moved, or excepted by its name', {
  skip: sqliteOnly,
}, async (t) => {
  const moved = (await movedTables()).map(({ name }) => name)
  const sqlite = await openTestStorage(t, 'sqlite')
  const onSqlite = await raw(
    sqlite.database,
    `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite#_%' escape '#'`,
  )
  const onPostgres = await raw(
    postgresAt(await freshPostgres()),
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const notMoved = (rows: Record<string, unknown>[]): string[] =>
    rows
      .map(({ name }) => String(name))
      .filter((name) => !moved.includes(name))
      .toSorted()
  const ofDatabase = ['lineage', 'migration_hashes', 'migration_lock', 'migrations']
  assert.deepEqual(notMoved(onSqlite), ofDatabase)
  assert.deepEqual(notMoved(onPostgres), [...ofDatabase, 'moved'])
  const names = onPostgres.map(({ name }) => String(name))
  assert.deepEqual(
    moved.filter((name) => !names.includes(name)),
    [],
  )
})

test('a dry run reads every row, writes nothing on either side, and reports what prevents the move', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite = await filledSqlite(t)
  const folder = path.dirname(sqlite.file)
  const before = files(folder)
  const blank = postgresAt(await emptyPostgres())
  const checked = await run(sqlite, blank, { dryRun: true })
  assert.equal(checked.source, null)
  assert.ok(checked.tables.every(({ rows }) => rows === 3))
  assert.deepEqual(files(folder), before)
  const inPublic = await raw(
    blank,
    `select count(*) as count from pg_tables where schemaname = 'public'`,
  )
  assert.equal(Number(inPublic[0]?.count), 0, 'no schema either')

  const taken = postgresAt(await freshPostgres())
  await raw(taken, `insert into key_checks (kid, proof) values ('1', 'x')`)
  await assert.rejects(run(sqlite, taken, { dryRun: true }), /has rows already \(1 in key_checks\)/)

  const away = path.join(await freshFolder(), 'data', 'gatehouse.db')
  await run(taken, { engine: 'sqlite', file: away }, { dryRun: true })
  assert.equal(existsSync(path.dirname(away)), false)
  await run(taken, { engine: 'sqlite', file: away })
})

test('a move is refused while a process uses either database, and works when it has stopped', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite = await filledSqlite(t)
  const before = await contentOf(sqlite)
  const postgres = postgresAt(await freshPostgres())
  const refused = (pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof MoveRefused, String(error))
    assert.match(error.message, pattern)
    return true
  }

  const onSqlite = await openTestStorage(t, 'sqlite', { database: sqlite })
  for (const dryRun of [true, false]) {
    await assert.rejects(
      run(sqlite, postgres, { dryRun }),
      refused(/A process is using .*gatehouse\.db\. Stop the service/),
    )
  }
  await onSqlite.close()

  const serving = await openTestStorage(t, 'postgres', { database: postgres })
  await serving.storage.follow()
  for (const dryRun of [true, false]) {
    await assert.rejects(
      run(sqlite, postgres, { dryRun }),
      refused(/A process serves the PostgreSQL database/),
    )
    const away: Location = {
      engine: 'sqlite',
      file: path.join(await freshFolder(), 'gatehouse.db'),
    }
    await assert.rejects(
      run(postgres, away, { dryRun }),
      refused(/A process serves the PostgreSQL database/),
    )
  }
  await serving.close()
  assert.deepEqual(readdirSync(path.dirname(sqlite.file)), ['gatehouse.db'])

  await run(sqlite, postgres)
  assert.deepEqual(await contentOf(postgres), before)
})

test('no process can serve PostgreSQL while it is moved', { skip: sqliteOnly }, async (t) => {
  const postgres = postgresAt(await freshPostgres())
  await raw(postgres, `insert into key_checks (kid, proof) values ('1', 'x')`)
  const { storage } = await openTestStorage(t, 'postgres', { database: postgres })
  let started: Promise<unknown> | undefined
  const moving = run(
    postgres,
    { engine: 'sqlite', file: path.join(await freshFolder(), 'gatehouse.db') },
    {
      progress() {
        started ??= storage.follow().catch((error: unknown) => error)
        return started
      },
    },
  )
  await moving
  assert.match(String(await started), /"gatehouse move" is using this PostgreSQL database/)
})

test('a target with rows, another schema or unknown tables is refused, and so is a second move', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite = await filledSqlite(t)
  const before = files(path.dirname(sqlite.file))

  const used = postgresAt(await freshPostgres())
  const { stores, close } = await openTestStorage(t, 'postgres', { database: used })
  await stores.tenants.create(guest('one-two', 'v1-2'), [])
  await close()
  await assert.rejects(
    run(sqlite, used),
    /The PostgreSQL database has rows already \(1 in tenants\).*Nothing was moved/,
  )

  const foreign = postgresAt(await emptyPostgres())
  await raw(foreign, 'create table invoices (id integer)')
  await assert.rejects(run(sqlite, foreign), /tables that are not Gatehouse's \(invoices\)/)

  const older = postgresAt(await freshPostgres())
  await raw(older, 'delete from migrations')
  await assert.rejects(
    run(sqlite, older),
    /has an older schema \(without 0001-initial, .*\)\. Start this version on it once/,
  )
  const newer = postgresAt(await freshPostgres())
  await raw(newer, `insert into migrations (name, timestamp) values ('9999-later', '')`)
  await assert.rejects(run(sqlite, newer), /has a newer schema \(9999-later\)/)
  const altered = postgresAt(await freshPostgres())
  await raw(altered, 'alter table users add column nickname text')
  await assert.rejects(run(sqlite, altered), /has another table users than this version/)
  assert.deepEqual(files(path.dirname(sqlite.file)), before)

  const target = postgresAt(await freshPostgres())
  await run(sqlite, target)
  await assert.rejects(run(sqlite, target), /There is no database .*gatehouse\.db/)
  const away: Location = {
    engine: 'sqlite',
    file: path.join(path.dirname(sqlite.file), 'gatehouse.db'),
  }
  await run(target, away)
  await assert.rejects(
    run(target, { ...away, file: `${away.file}.2` }),
    /was moved to SQLite on 2027-01-15/,
  )
  await assert.rejects(
    run(postgresAt(await freshPostgres()), away),
    /gatehouse\.db exists, and a move overwrites nothing/,
  )
})

test('timeouts that are set for the service do not end a move', { skip: sqliteOnly }, async (t) => {
  const sqlite = await filledSqlite(t)
  const postgres = postgresAt(await freshPostgres())
  const name = new URL(postgres.url).pathname.slice(1)
  await raw(postgres, `alter database ${name} set idle_in_transaction_session_timeout = 1`)
  const slowly = { progress: () => blockFor(5) }
  await run(sqlite, postgres, slowly)
  await run(postgres, sqlite, slowly)
})

test('a PostgreSQL database that was moved is not served again until its mark is deleted', {
  skip: sqliteOnly,
}, async (t) => {
  const postgres = postgresAt(await freshPostgres())
  await run(postgres, { engine: 'sqlite', file: path.join(await freshFolder(), 'gatehouse.db') })
  await assert.rejects(
    openTestStorage(t, 'postgres', { database: postgres }),
    /was moved to SQLite on 2027-01-15T12:00/,
  )
  await raw(postgres, 'delete from moved')
  await openTestStorage(t, 'postgres', { database: postgres })
})

test('a move that fails or finds other rows than it wrote leaves the source unchanged and the target empty', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite = await filledSqlite(t)
  const before = files(path.dirname(sqlite.file))
  const failing = (done: number): void => {
    if (done > 20) {
      throw new Error('the machine stops')
    }
  }
  const postgres = postgresAt(await emptyPostgres())
  await assert.rejects(run(sqlite, postgres, { progress: failing }), /the machine stops/)
  assert.deepEqual(files(path.dirname(sqlite.file)), before)
  for (const rows of Object.values(await contentOf(postgres))) {
    assert.deepEqual(rows, [])
  }

  // A trigger changes what is stored.
  await raw(
    postgres,
    `create function shorten() returns trigger language plpgsql as $$ begin new.email := 'x'; return new; end $$`,
  )
  await raw(
    postgres,
    'create trigger shorten before insert on users for each row execute function shorten()',
  )
  await assert.rejects(
    run(sqlite, postgres),
    /The rows of users read back from the target differ: 3 were copied, 3 read/,
  )
  await raw(postgres, 'drop function shorten() cascade')
  for (const rows of Object.values(await contentOf(postgres))) {
    assert.deepEqual(rows, [])
  }
  assert.deepEqual(files(path.dirname(sqlite.file)), before)
  const [sequence] = await raw(
    postgres,
    `select nextval(pg_get_serial_sequence('sessions', 'id')) as id`,
  )
  assert.equal(Number(sequence?.id), 1, 'positions are undone too')

  await run(sqlite, postgres)
  const file = path.join(await freshFolder(), 'gatehouse.db')
  await assert.rejects(
    run(postgres, { engine: 'sqlite', file }, { progress: failing }),
    /the machine stops/,
  )
  assert.deepEqual(readdirSync(path.dirname(file)), [], 'no unfinished file')
  await run(postgres, { engine: 'sqlite', file })
})
