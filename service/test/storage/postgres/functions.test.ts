import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { FUNCTIONS, FUNCTIONS_VERSION } from '../../../src/storage/postgres/functions.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import {
  NOW,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
} from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

type Location = { readonly engine: 'postgres'; readonly url: string }

const freshLocation = async (): Promise<Location> => ({
  engine: 'postgres',
  url: await freshPostgres(),
})

/** The text of each function of this database. */
async function installed(database: Location): Promise<Record<string, string>> {
  const rows = await raw(
    database,
    `select proname, pg_get_functiondef(oid) as text from pg_proc where pronamespace = current_schema()::regnamespace`,
  )
  return Object.fromEntries(rows.map(({ proname, text }) => [proname, String(text)]))
}

/** Another text of one function, as of another version. */
async function install(database: Location, version: string): Promise<Record<string, string>> {
  await raw(
    database,
    `create or replace function gatehouse_server_v1(out system_id text, out timeline bigint) language plpgsql as
      $$ begin system_id := 'another version'; timeline := 1; end $$`,
  )
  await raw(database, `comment on function gatehouse_fence_v1 is ${version}`)
  return installed(database)
}

describe('functions in PostgreSQL', { skip: sqliteOnly }, () => {
  test('a changed function has a new version', () => {
    const digest = createHash('sha256').update(FUNCTIONS.join()).digest('hex').slice(0, 16)
    assert.equal(
      `${FUNCTIONS_VERSION} ${digest}`,
      '12 f5b38b7186a121aa',
      'existing databases would keep the former text: raise FUNCTIONS_VERSION, and write it here with the digest',
    )
  })

  for (const [which, version] of [
    ['an earlier version', "'0'"],
    ['a build that stored no version', 'null'],
  ] as const) {
    test(`instances that start together replace the functions of ${which}`, {
      skip: slow,
    }, async (t) => {
      const database = await freshLocation()
      const current = await installed(database)
      assert.notDeepEqual(await install(database, version), current)
      await Promise.all(
        Array.from({ length: 4 }, () => openTestStorage(t, 'postgres', { database })),
      )
      assert.deepEqual(await installed(database), current)
      const comment = `select obj_description('gatehouse_fence_v1'::regproc, 'pg_proc') as version`
      assert.deepEqual(await raw(database, comment), [{ version: String(FUNCTIONS_VERSION) }])
    })
  }

  test('an instance of an earlier version keeps the functions of a later one', async (t) => {
    const database = await freshLocation()
    const later = await install(database, `'${FUNCTIONS_VERSION + 1}'`)
    await openTestStorage(t, 'postgres', { database })
    assert.deepEqual(await installed(database), later)
  })

  test('an instance keeps refreshing while another one replaces the functions', {
    skip: slow,
  }, async (t) => {
    const database = await freshLocation()
    const { stores } = await openTestStorage(t, 'postgres', { database })
    const { resource, session } = await signInUser(stores)
    const first = await refreshSession(stores, resource, rotation(session, NOW + 1))
    assert.ok(first)
    await raw(database, 'comment on function gatehouse_fence_v1 is null')
    await openTestStorage(t, 'postgres', { database })
    assert.equal((await refreshSession(stores, resource, rotation(first, NOW + 2)))?.generation, 2)
  })

  test('a start creates the functions that an interrupted first start did not', async (t) => {
    const database = await freshLocation()
    const current = await installed(database)
    // With the index of the search of users, which the start creates as well.
    for (const name of Object.keys(current)) {
      await raw(database, `drop function ${name} cascade`)
    }
    await openTestStorage(t, 'postgres', { database })
    assert.deepEqual(await installed(database), current)
  })
})
