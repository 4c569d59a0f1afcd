import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Kysely, type KyselyPlugin, PostgresDialect } from 'kysely'
import { Client } from 'pg'
import { migrate, refuseOtherSchema } from '../../src/storage/migrate.ts'
import { MIGRATIONS, type SchemaStep } from '../../src/storage/migrations.ts'
import { serverConfig } from '../../src/storage/postgres/connection/server-config.ts'
import { BoundedPool } from '../../src/storage/postgres/pool.ts'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { SqliteDriver } from '../../src/storage/sqlite/driver.ts'
import { openToWrite } from '../../src/storage/sqlite/file.ts'
import type { Tables } from '../../src/storage/tables/tables.ts'
import { TIMING } from '../../src/storage/timing.ts'
import { claim } from '../support/actors/claim.ts'
import { rowsOf } from '../support/postgres/database-rows.ts'
import { ENGINES, emptyPostgres, freshFolder, sqliteOnly } from '../support/postgres/engines.ts'
import { keptFile, restoreKept } from '../support/postgres/kept-database.ts'
import { NOW, openTestStorage, raw, TEST_TIMING } from '../support/postgres/storage.ts'
import { long, slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const KNOWN = ['0001-initial', '0002-colors']
const hashed = (name: string) => ({ name, hash: `hash of ${name}` })

for (const [name, executed, expected] of [
  ['an empty database', [], null],
  ['the same version', KNOWN, null],
  ['an older version', ['0001-initial'], null],
  ['a newer version that only added', [...KNOWN, '0003-sizes'], null],
  [
    'a newer version that changed what this one needs',
    [...KNOWN, '0003-sizes!'],
    /newer version \(0003-sizes\) of Gatehouse.*restore the backup/,
  ],
  [
    'a build from before the first release',
    ['0001-home', '0002-social-login'],
    /before the first release.*To start empty, move gatehouse\.db/,
  ],
] as const) {
  // proves C372
  test(`a database of ${name} is ${expected === null ? 'used' : 'refused, with the way out'}`, () => {
    const known = KNOWN.map(hashed)
    if (expected === null) {
      refuseOtherSchema(executed.map(hashed), known)
    } else {
      assert.throws(() => refuseOtherSchema(executed.map(hashed), known), expected)
    }
  })
}

test('a migration of the same name with another text is refused, and one without a recorded hash is not', () => {
  const known = KNOWN.map(hashed)
  refuseOtherSchema([{ name: '0001-initial', hash: null }], known)
  assert.throws(
    () => refuseOtherSchema([{ name: '0001-initial', hash: 'another' }], known),
    /another build, whose migration 0001-initial differs.*run the build that made it/,
  )
})

for (const engine of ENGINES) {
  // proves C383
  test(`[${engine}] a start with a database of a newer, incompatible version is refused and changes nothing`, async (t) => {
    const { database, close } = await openTestStorage(t, engine)
    await close()
    await raw(
      database,
      `insert into migrations (name, timestamp) values ('9999-sizes!', '2030-01-01T00:00:00Z')`,
    )
    await assert.rejects(openTestStorage(t, engine, { database }), /newer version \(9999-sizes\)/)
  })
}

/** The migrations, with `after` after each of their statements. */
const observed = (after: (statement: number) => void | Promise<void>): SchemaStep[] => {
  let statement = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statement += 1
      await after(statement)
      return result
    },
  }
  return MIGRATIONS.map((step) => ({
    ...step,
    up: (db: Kysely<unknown>, engine) => step.up(db.withPlugin(plugin), engine),
  }))
}

// proves C382
test('[sqlite] a process that is killed at any statement of a migration leaves a database that the next start completes', {
  skip: slow,
}, async (t) => {
  const folder = await freshFolder()
  const file = path.join(folder, 'gatehouse.db')
  /** The files as a kill at this statement leaves them. */
  const left: string[] = []
  const steps = observed((statement) => {
    const copy = path.join(folder, String(statement))
    mkdirSync(copy)
    for (const suffix of ['', '-wal']) {
      if (existsSync(file + suffix)) {
        copyFileSync(file + suffix, path.join(copy, `gatehouse.db${suffix}`))
      }
    }
    left.push(path.join(copy, 'gatehouse.db'))
  })
  const whole = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteDriver(openToWrite(file))) })
  await migrate(whole, 'sqlite', { steps })
  await whole.destroy()
  const schemaOf = (database: string): unknown => {
    const opened = new DatabaseSync(database, { readOnly: true })
    const rows = opened
      .prepare('select type, name, sql from sqlite_schema order by type, name')
      .all()
    opened.close()
    return rows
  }
  const expected = schemaOf(file)
  assert.ok(left.length > 40, `${left.length} statements`)
  for (const database of left) {
    const opened = await openTestStorage(t, 'sqlite', {
      database: { engine: 'sqlite', file: database },
    })
    await opened.stores.resources.provision('one-two', [], NOW)
    await opened.close()
    assert.deepEqual(schemaOf(database), expected, database)
  }
})

test('[postgres] a connection that is lost at any statement of a migration leaves a database that the next start completes', {
  skip: long,
}, async (t) => {
  const url = await emptyPostgres()
  const admin = new Client(url)
  await admin.connect()
  t.after(() => admin.end())
  const tables = async (): Promise<number> =>
    Number(
      (
        await admin.query(
          `select count(*) from information_schema.tables where table_schema = 'public'`,
        )
      ).rows[0].count,
    )
  const disconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  let statements = 0
  for (let at = 1, done = false; !done; at += 1) {
    const pool = new BoundedPool(
      { ...serverConfig(url, () => {}, { ...TIMING, ...TEST_TIMING }), max: 1 },
      () => {},
    )
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    const steps = observed(async (statement) => {
      statements = statement
      if (statement === at) {
        await admin.query(disconnect)
      }
    })
    const failed = await migrate(db, 'postgres', { steps, retryMs: 1 }).then(
      () => false,
      () => true,
    )
    await db.destroy().catch(() => {})
    done = !failed
    assert.ok(
      done || (await tables()) <= 2,
      'only the tables of the migrator: the transaction was rolled back',
    )
  }
  assert.ok(statements > 40, `${statements} statements`)
  const { stores } = await openTestStorage(t, 'postgres', { database: { engine: 'postgres', url } })
  await stores.resources.provision('one-two', [], NOW)
})

for (const engine of ENGINES) {
  for (const build of ['before-0.1.0', 'build-2026-11-16']) {
    // proves C384
    test(`[${engine}] a start with the database of ${build} is refused with the way out, and changes nothing`, {
      skip: slow,
    }, async (t) => {
      const { env, database } = await restoreKept(build, engine)
      const before = await rowsOf(database)
      assert.notEqual(before.tenants?.length, 0)
      await assert.rejects(
        world(t, { engine, env }),
        /made by a build from before the first release, which no release can upgrade\. Nothing was changed\. To keep its data, run the build that made it\..* To start empty, move gatehouse\.db and keys\.json away, or name an empty PostgreSQL database in DATABASE_URL\.$/,
      )
      assert.deepEqual(await rowsOf(database), before)
    })
  }

  // proves C386
  test(`[${engine}] a start records the hash of each migration, and refuses a database with another one`, async (t) => {
    const { database, close } = await openTestStorage(t, engine)
    await close()
    const hashes = await raw(database, 'select name, hash from migration_hashes order by name')
    assert.deepEqual(
      hashes.map(({ name, hash }) => ({ name, hash })),
      MIGRATIONS.map((step) => ({ name: step.name, hash: step.hash(engine) })),
    )
    await raw(
      database,
      `update migration_hashes set hash = 'another' where name = '0002-lineage-ancestors'`,
    )
    await assert.rejects(openTestStorage(t, engine, { database }), /0002-lineage-ancestors differs/)
  })
}

// proves C387
test('[postgres] a database that an earlier build has partitioned by month becomes whole, with every row, key, index and right', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const { env, database } = await restoreKept('build-2026-11-19', 'postgres')
  assert.ok(database.engine === 'postgres')
  const before = await rowsOf(database)
  await raw(database, partitioned('events', 'resource_id, event, id, tenant_id'))
  await raw(database, partitioned('login_attempts', 'id, tenant_id'))
  await raw(database, 'create role reporting; grant select on events to reporting')

  const service = await world(t, { engine: 'postgres', env })
  await service.stop()
  const after = await rowsOf(database)
  assert.deepEqual(new Set(after.events), new Set(before.events))
  const attempts = before.login_attempts?.map((attempt) => ({ ...attempt, openid: null }))
  assert.deepEqual(new Set(after.login_attempts), new Set(attempts))
  const fresh = await openTestStorage(t, 'postgres')
  assert.deepEqual(await raw(database, SHAPE), await raw(fresh.database, SHAPE))
  const [right] = await raw(database, `select has_table_privilege('reporting', 'events', 'select')`)
  assert.deepEqual(right, { has_table_privilege: true })
})

/** What `gatehouse partition` of that build left: the former table is the first partition. */
const partitioned = (table: string, key: string): string => `
  alter table ${table} rename to ${table}_first;
  alter table ${table}_first drop constraint ${table}_key;
  alter table ${table}_first add constraint ${table}_first_key primary key (${key}, created_at);
  create table ${table} (like ${table}_first including defaults including storage including comments)
    partition by range (created_at);
  alter table ${table} add constraint ${table}_key primary key (${key}, created_at);
  alter table ${table} attach partition ${table}_first for values from (minvalue) to (4102444800000);
  create table ${table}_default partition of ${table} default;`

/** The tables and indexes of the two. */
const SHAPE = `select relname, relkind, coalesce(pg_get_indexdef(indexrelid), '') as index
  from pg_class left join pg_index on indexrelid = pg_class.oid
  where relnamespace = current_schema()::regnamespace and relname ~ '^(events|login_attempts)' order by relname`

// proves C385
test('users exported by the build of 16 November can be imported', async (t) => {
  const { agent, baseUrl, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser())
  clock.advance({ days: 1 })
  // The development Google of that build was on another port.
  const exported = keptFile('build-2026-11-16', 'users.ndjson')
    .toString()
    .replaceAll(/http:\/\/localhost:\d+/g, baseUrl)
  const imported = await agent.call('POST', '/api/social-login/import', {
    key: tenant.key,
    body: Buffer.from(exported),
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  assert.equal(imported.status, 200, imported.text)
  const emails = (await tenant.users()).map(({ email }) => email)
  assert.deepEqual(emails, ['ada@example.com', 'alan@example.com'])
})

const HASHES = 'service/content/migrations/SHA256SUMS'
const ROOT = path.resolve(import.meta.dirname, '../../..')
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

test('SHA256SUMS has the hash of each migration', () => {
  const engines = ['postgres', 'sqlite'] as const
  const expected = MIGRATIONS.flatMap((step) =>
    engines.map((engine) => `${step.hash(engine)}  ${step.name}.${engine}.sql`),
  )
  assert.deepEqual(linesOf(readFileSync(path.join(ROOT, HASHES), 'utf8')), expected)
})

for (const commit of ['HEAD', 'HEAD^']) {
  // proves C388
  test(`a migration of ${commit} has the same text now`, (t) => {
    const shown = spawnSync('git', ['show', `${commit}:${HASHES}`], { cwd: ROOT, encoding: 'utf8' })
    if (shown.status !== 0) {
      return t.skip('there is no git, or the commit has no list of hashes')
    }
    const now = new Set(linesOf(readFileSync(path.join(ROOT, HASHES), 'utf8')))
    assert.deepEqual(
      linesOf(shown.stdout).filter((line) => !now.has(line)),
      [],
      'edited or removed: add another migration instead',
    )
  })
}
