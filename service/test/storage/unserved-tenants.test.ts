import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { UnservedTenants } from '../../src/storage/unserved-tenants.ts'
import { freshFolder, freshPostgres } from '../support/postgres/engines.ts'
import { guest, openTestStorage, type TestStorage } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'

const FILE = 'gatehouse.db'

/** Opens a PostgreSQL database beside this file. */
const openBeside = (t: TestContext, url: string, leftoverFile: string): Promise<TestStorage> =>
  openTestStorage(t, 'postgres', { database: { engine: 'postgres', url, leftoverFile } })

/** An open SQLite database with this many tenants. */
async function sqliteWith(
  t: TestContext,
  tenants: number,
): Promise<TestStorage & { readonly file: string }> {
  const file = path.join(await freshFolder(), FILE)
  const storage = await openTestStorage(t, 'sqlite', { database: { engine: 'sqlite', file } })
  for (let number = 0; number < tenants; number += 1) {
    await storage.stores.tenants.create(guest(`tenant-${number}`, storage.profile), [])
  }
  return { ...storage, file }
}

/** Every file of the folder, byte for byte. */
const contents = (file: string): (readonly [string, Buffer])[] =>
  readdirSync(path.dirname(file))
    .sort()
    .map((name) => [name, readFileSync(path.join(path.dirname(file), name))])

test('an empty PostgreSQL database does not open beside a SQLite file with tenants, and the folder is unchanged', {
  skip: slow,
}, async (t) => {
  const { file, close } = await sqliteWith(t, 2)
  await close()
  const before = contents(file)
  await assert.rejects(openBeside(t, await freshPostgres(), file), (error) => {
    assert.ok(error instanceof UnservedTenants)
    assert.ok(error.message.includes(`${file} holds 2 tenants`), error.message)
    return true
  })
  assert.deepEqual(contents(file), before)
})

test('tenants in the write-ahead log count, of a running and of a killed process', async (t) => {
  const { file, stores } = await sqliteWith(t, 1)
  const url = await freshPostgres()
  await assert.rejects(openBeside(t, url, file), /holds 1 tenant,/)
  assert.notEqual(await stores.tenants.find('tenant-0'), null)
  await stores.tenants.create(guest('tenant-1', 'v1-1'), [])

  const killed = path.join(await freshFolder(), FILE)
  for (const suffix of ['', '-wal']) {
    cpSync(`${file}${suffix}`, `${killed}${suffix}`)
  }
  await assert.rejects(openBeside(t, url, killed), /holds 2 tenants,/)
})

test('a PostgreSQL database with tenants opens beside any file', { skip: slow }, async (t) => {
  const url = await freshPostgres()
  const first = await openTestStorage(t, 'postgres', { database: { engine: 'postgres', url } })
  await first.stores.tenants.create(guest('one-two', 'v1-2'), [])
  const { file, close } = await sqliteWith(t, 1)
  await close()
  assert.notEqual(await (await openBeside(t, url, file)).stores.tenants.find('one-two'), null)
  writeFileSync(file, 'not a database')
  await openBeside(t, url, file)
})

test('an empty PostgreSQL database opens beside a SQLite file without tenants, and beside no file', {
  skip: slow,
}, async (t) => {
  const url = await freshPostgres()
  const { file, close } = await sqliteWith(t, 0)
  await close()
  const withoutTable = path.join(await freshFolder(), FILE)
  const other = new DatabaseSync(withoutTable)
  other.exec('create table notes (id integer)')
  other.close()
  const empty = path.join(await freshFolder(), FILE)
  writeFileSync(empty, '')
  const missing = path.join(await freshFolder(), 'data', FILE)
  for (const beside of [file, withoutTable, empty]) {
    const before = contents(beside)
    await openBeside(t, url, beside)
    assert.deepEqual(contents(beside), before)
  }
  await openBeside(t, url, missing)
  assert.deepEqual(readdirSync(path.dirname(path.dirname(missing))), [], 'nothing is created')
})

test('an empty PostgreSQL database does not open beside an unreadable SQLite file', async (t) => {
  const garbage = path.join(await freshFolder(), FILE)
  writeFileSync(garbage, 'not a database, despite its name'.repeat(100))
  const folder = path.join(await freshFolder(), FILE)
  mkdirSync(folder)
  const url = await freshPostgres()
  for (const file of [garbage, folder]) {
    await assert.rejects(openBeside(t, url, file), (error) => {
      assert.ok(error instanceof UnservedTenants)
      assert.match(
        error.message,
        /gatehouse\.db cannot be read \(.+\), so it may hold some\. See that it is whole and .*rename the file/,
      )
      return true
    })
  }
})
