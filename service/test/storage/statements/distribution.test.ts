import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { freshDatabase, openTestStorage } from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'
import { recordAllStatements } from './call-all-stores.ts'
import { DISTRIBUTED, NOT_DISTRIBUTED, UNROUTED } from './distribution.ts'
import { unroutedTables, unroutedTablesOfFunction } from './unrouted-tables.ts'

// docs/scaling.md, "A distributed PostgreSQL". SQLite is a file on one machine, so PostgreSQL's schema is what counts.

test('every table has a distribution column or a stated place on a distributed PostgreSQL', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const client = await migrated(t)
  const { rows } = await client.query(
    `select table_name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = current_schema() group by table_name`,
  )
  const known = { ...DISTRIBUTED, ...NOT_DISTRIBUTED }
  assert.deepEqual(
    rows.map(({ table_name }) => table_name).filter((table) => !(table in known)),
    [],
    'not in the list',
  )
  const guide = readFileSync(
    path.resolve(import.meta.dirname, '../../../../docs/scaling.md'),
    'utf8',
  )
  assert.deepEqual(
    Object.keys(DISTRIBUTED).filter((table) => !guide.includes(`\`${table}\``)),
    [],
    'not in docs/scaling.md',
  )
  for (const { table_name, columns } of rows) {
    const column = DISTRIBUTED[table_name]
    if (column !== undefined) {
      assert.ok(columns.includes(column), `${table_name} has no column ${column}`)
    } else {
      assert.notEqual(NOT_DISTRIBUTED[table_name], undefined)
    }
  }
})

test('every primary key and unique index of a distributed table contains the distribution column', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const client = await migrated(t)
  const { rows } = await client.query(
    `select t.relname as table, i.relname as index, array_agg(a.attname::text) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = x.indexrelid
      where x.indisunique and t.relnamespace = current_schema()::regnamespace
      group by t.relname, i.relname`,
  )
  const lacking = rows.filter(
    ({ table, columns }) => table in DISTRIBUTED && !columns.includes(DISTRIBUTED[table]),
  )
  assert.deepEqual(
    lacking.map(({ index }) => index),
    [],
  )
  const keyed = new Set(rows.map(({ table }) => table))
  assert.deepEqual(
    Object.keys(DISTRIBUTED).filter((table) => !keyed.has(table)),
    [],
    'without any key',
  )
})

test('every statement about one tenant reads its tables by tenant or resource, so that one node can answer it', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const database = await freshDatabase(t, 'postgres')
  const storage = await openTestStorage(t, 'postgres', { database })
  const recorded = await recordAllStatements(t, storage)
  const client = await connected(t, database)

  const unrouted = new Map<string, Set<string>>()
  for (const { sql, method } of recorded) {
    for (const table of await unroutedTables(client, sql)) {
      unrouted.set(method, (unrouted.get(method) ?? new Set()).add(table))
    }
  }
  const found = Object.fromEntries(
    [...unrouted].map(([method, tables]) => [method, [...tables].sort().join(' ')]),
  )
  const stated = Object.fromEntries(
    Object.entries(UNROUTED).map(([method, [table]]) => [method, table]),
  )
  assert.deepEqual(found, stated)
})

test('a refresh reads and writes its tables by tenant or resource', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const client = await migrated(t)
  const { rows } = await client.query(
    `select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace order by proname`,
  )
  const refresh = rows.filter(({ proname }) => proname.startsWith('gatehouse_refresh_'))
  assert.equal(refresh.length, 1)
  // They ask every node, once after a failover.
  const routed = rows.filter(({ proname }) => !/lineage_v1|fence_v2/.test(proname))
  for (const { proname, prosrc } of routed) {
    assert.deepEqual(unroutedTablesOfFunction(prosrc), [], proname)
  }
})

async function migrated(t: TestContext): Promise<Client> {
  const database = await freshDatabase(t, 'postgres')
  await openTestStorage(t, 'postgres', { database })
  return connected(t, database)
}

async function connected(
  t: TestContext,
  database: Awaited<ReturnType<typeof freshDatabase>>,
): Promise<Client> {
  assert.ok(database.engine === 'postgres')
  const client = new Client(database.url)
  await client.connect()
  t.after(() => client.end())
  return client
}
