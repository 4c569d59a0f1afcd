import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import { Client } from 'pg'
import type { Counter } from '../../src/domain/limits/counter.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { MIGRATIONS, type SchemaStep } from '../../src/storage/migrations.ts'
import { serverConfig } from '../../src/storage/postgres/connection/server-config.ts'
import { BoundedPool } from '../../src/storage/postgres/pool.ts'
import type { Tables } from '../../src/storage/tables/tables.ts'
import { TIMING } from '../../src/storage/timing.ts'
import { emptyPostgres, freshFolder, freshPostgres } from '../support/postgres/engines.ts'
import {
  appendEvent,
  freshDatabase,
  googleProfile,
  NOW,
  newEvent,
  openTestStorage,
  raw,
  TEST_TIMING,
} from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

const modeOf = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8)

test('SQLite files have mode 600, and a folder created for them 700', async (t) => {
  const file = join(await freshFolder(), 'deep', 'data', 'gatehouse.db')
  const { stores } = await openTestStorage(t, 'sqlite', { database: { engine: 'sqlite', file } })
  await stores.resources.provision('one-two', [], NOW)
  assert.deepEqual((await readdir(dirname(file))).sort(), [
    'gatehouse.db',
    'gatehouse.db-shm',
    'gatehouse.db-wal',
  ])
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal(await modeOf(`${file}${suffix}`), '600')
  }
  assert.equal(await modeOf(dirname(file)), '700')
  assert.equal(await modeOf(dirname(dirname(file))), '700')
})

test('an existing data folder keeps its mode', async (t) => {
  const folder = join(await freshFolder(), 'data')
  await mkdir(folder, { mode: 0o750 })
  await openTestStorage(t, 'sqlite', {
    database: { engine: 'sqlite', file: join(folder, 'gatehouse.db') },
  })
  assert.equal(await modeOf(folder), '750')
})

test('SQLite uses WAL, does not wait for the disk itself, overwrites deleted content, and enforces foreign keys', async (t) => {
  const database = await freshDatabase(t, 'sqlite')
  const connections = new Set<DatabaseSync>()
  const { exec } = DatabaseSync.prototype
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    connections.add(this)
    exec.call(this, sql)
  })
  await openTestStorage(t, 'sqlite', { database })
  const [writer, reader] = [...connections]
  const setting = (name: string) => Object.values(writer?.prepare(`pragma ${name}`).get() ?? {})[0]
  assert.equal(setting('journal_mode'), 'wal')
  assert.equal(setting('synchronous'), 1, 'NORMAL: the driver syncs (durability.test.ts)')
  assert.equal(setting('wal_autocheckpoint'), 0)
  assert.equal(setting('secure_delete'), 1)
  assert.equal(setting('foreign_keys'), 1)
  assert.throws(() => reader?.exec('delete from users'), /readonly/)
})

// proves C042, C046
test('a deleted email address is in no SQLite file afterwards', async (t) => {
  const { stores, database, warnings } = await openTestStorage(t, 'sqlite')
  assert.ok(database.engine === 'sqlite')
  const folder = dirname(database.file)
  const resource = await stores.resources.provision('one-two', [], NOW)
  const email = 'unforgettable@example.com'
  for (let count = 0; count < 200; count += 1) {
    const { id } = await stores.users.insert(
      resource,
      googleProfile(`${count}`, { email, picture: 'x'.repeat(300) }),
      NOW,
    )
    await appendEvent(stores, resource, newEvent('authorize', { userId: id, email }))
  }
  const filesWith = async (text: string): Promise<string[]> => {
    const names = await readdir(folder)
    const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
    return names.filter((_, index) => contents[index]?.includes(text))
  }
  assert.notDeepEqual(await filesWith(email), [])

  await stores.resources.markDeleted('one-two', NOW)
  while ((await stores.resources.purge('one-two', resource.id, 50)).rows > 0) {}
  await stores.eraseDeleted()
  assert.deepEqual(await filesWith(email), [])
  assert.deepEqual(warnings, [])
})

test('several processes can open a new SQLite file at the same time', { skip: slow }, async () => {
  const file = join(await freshFolder(), 'data', 'gatehouse.db')
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const [code] = await once(
        fork(new URL('opening-process.ts', import.meta.url), [file]),
        'exit',
      )
      return code
    }),
  )
  assert.deepEqual(outcomes, [0, 0, 0, 0])
})

test('a database migrated by a newer version is still served', async (t) => {
  const first = await openTestStorage(t, 'sqlite')
  await raw(
    first.database,
    `insert into migrations (name, timestamp) values ('9999-future', '2030-01-01T00:00:00Z')`,
  )
  await raw(first.database, 'alter table resources add column colour text')
  const second = await openTestStorage(t, 'sqlite', { database: first.database })
  const resource = await second.stores.resources.provision('one-two', ['https://a.example/'], NOW)
  assert.deepEqual(await first.stores.resources.findActive('one-two'), resource)
})

test('several instances can open a new PostgreSQL database at the same time', {
  skip: slow,
}, async (t) => {
  const url = await emptyPostgres()
  const database = { engine: 'postgres', url } as const
  const all = await Promise.all(
    Array.from({ length: 4 }, () => openTestStorage(t, 'postgres', { database })),
  )
  const spent = all.map(({ stores }) => stores.counters.spend(storedUsers, 1, null))
  assert.deepEqual((await Promise.all(spent)).sort(), [1, 2, 3, 4])
})

test('prepared PostgreSQL statements keep working when their table gains a column', async (t) => {
  const { stores, database } = await openTestStorage(t, 'postgres')
  await stores.resources.provision('one-two', [], NOW)
  await stores.resources.findActive('one-two')
  await raw(database, 'alter table resources add column colour text')
  assert.equal((await stores.resources.findActive('one-two'))?.tenantId, 'one-two')
  assert.equal((await stores.resources.provision('one-two', [], NOW + 1)).updatedAt, NOW + 1)
})

test('[postgres] a migration that deadlocks with an older instance is retried', async (t) => {
  const url = await freshPostgres()
  const database = { engine: 'postgres', url } as const
  await raw(
    database,
    `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '10ms'`,
  )
  const older = new Client(url)
  await older.connect()
  t.after(() => older.end())
  // PostgreSQL rolls back the transaction that finds the deadlock: this one never looks for it.
  await older.query(`set deadlock_timeout = '1h'`)
  const pool = new BoundedPool(
    { ...serverConfig(url, () => {}, { ...TIMING, ...TEST_TIMING }), max: 1 },
    () => {},
  )
  t.after(() => pool.end())
  let runs = 0
  const colours: SchemaStep = {
    name: '9999-colours',
    hash: () => 'colours',
    async up(db) {
      runs += 1
      await db.schema.alterTable('users').addColumn('colour', 'text').execute()
      if (runs === 1) {
        await olderWaits()
      }
      await db.schema.alterTable('sessions').addColumn('colour', 'text').execute()
    },
  }
  await older.query('begin')
  await older.query('select count(*) from sessions')
  let ended: Promise<unknown> | undefined
  const olderWaits = async (): Promise<void> => {
    ended = older.query('select count(*) from users').then(() => older.query('commit'))
    const waits = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await waitUntil(
      'the older instance waits for the migration',
      async () => (await raw(database, waits)).length === 1,
    )
  }
  const dialect = new PostgresDialect({ pool })
  const upgrade = migrate(new Kysely<Tables>({ dialect }), 'postgres', {
    steps: [...MIGRATIONS, colours],
    retryMs: 1,
  })
  await upgrade
  await ended
  assert.equal(runs, 2, 'PostgreSQL rolled back the first')
  assert.equal((await older.query('select colour from sessions')).rowCount, 0)
})
