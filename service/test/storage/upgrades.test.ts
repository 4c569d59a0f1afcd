import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
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
import { rowsOf } from '../support/postgres/database-rows.ts'
import { ENGINES, emptyPostgres, freshFolder } from '../support/postgres/engines.ts'
import { restoreKept } from '../support/postgres/kept-database.ts'
import { NOW, openTestStorage, raw, TEST_TIMING } from '../support/postgres/storage.ts'
import { long, slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const KNOWN = ['0001-initial', '0002-colors']

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
  test(`a database of ${name} is ${expected === null ? 'used' : 'refused, with the way out'}`, () => {
    const known = KNOWN.map((name) => ({ name }))
    if (expected === null) {
      refuseOtherSchema(new Set(executed), known)
    } else {
      assert.throws(() => refuseOtherSchema(new Set(executed), known), expected)
    }
  })
}

for (const engine of ENGINES) {
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
  return MIGRATIONS.map(({ name, up }) => ({
    name,
    up: (db: Kysely<unknown>, engine) => up(db.withPlugin(plugin), engine),
  }))
}

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
  test(`[${engine}] a start with the database of the first build is refused with the way out, and changes nothing`, {
    skip: slow,
  }, async (t) => {
    const { env, database } = await restoreKept('before-0.1.0', engine)
    const before = await rowsOf(database)
    assert.equal(before.tenants?.length, 1)
    await assert.rejects(
      world(t, { engine, env }),
      /made by a build from before the first release, which no release can upgrade\. To start empty, move gatehouse\.db and keys\.json away, or name an empty PostgreSQL database in DATABASE_URL\. To keep its data, run the build that made it\.$/,
    )
    assert.deepEqual(await rowsOf(database), before)
  })
}
