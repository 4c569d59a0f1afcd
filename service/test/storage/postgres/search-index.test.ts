import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { FIRST_INDEXED_ID } from '../../../src/domain/sessions/user.ts'
import type { Resource, Stores } from '../../../src/domain/stores/stores.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { googleProfile, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

type Location = { readonly engine: 'postgres'; readonly url: string }

/** A resource with two users, whom the index has. */
async function withUsers(t: TestContext) {
  const database: Location = { engine: 'postgres', url: await freshPostgres() }
  const { stores, close } = await openTestStorage(t, 'postgres', { database })
  const resource = await stores.resources.provision('one-two', [], NOW)
  await stores.counters.spend(
    { scope: 'tenant:one-two', window: 'user-ids', start: 0 },
    FIRST_INDEXED_ID,
    null,
  )
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    await stores.users.insert(
      resource,
      googleProfile(name, { email: `${name.length}@example.com`, name }),
      NOW,
    )
  }
  return { database, stores, resource, close }
}

const find = async (
  stores: Stores,
  resource: Resource,
  part: string,
): Promise<(string | null)[]> => {
  const page = {
    part,
    after: FIRST_INDEXED_ID + 9,
    from: 0,
    limit: 9,
    newestFirst: true,
    indexed: true,
  }
  return (await stores.users.records(resource, page)).map(({ name }) => name)
}

/** Another object after the index was built again; null: not valid, or none. */
async function validIndex(database: Location): Promise<unknown> {
  const [index] = await raw(
    database,
    `select indexrelid as id from pg_index where indexrelid = to_regclass('users_by_part') and indisvalid`,
  )
  return index?.id ?? null
}

describe('the index of the search of users on PostgreSQL', { skip: sqliteOnly }, () => {
  test('the search reads the index of a new database, and not the users of the span', async (t) => {
    const { database, stores, resource } = await withUsers(t)
    assert.notEqual(await validIndex(database), null)
    const client = new Client(database.url)
    await client.connect()
    t.after(() => client.end())
    await client.query('vacuum analyze users')
    const { query } = Client.prototype
    let sent = { text: '', values: [] as unknown[] }
    const recording = t.mock.method(
      Client.prototype,
      'query',
      function (this: Client, ...args: unknown[]) {
        const [first] = args as [typeof sent]
        if (/gatehouse_user_parts_v1/.test(first?.text)) {
          sent = first
        }
        return Reflect.apply(query, this, args)
      },
    )
    await find(stores, resource, 'love')
    recording.mock.restore()
    for (const [plan, values] of [
      ['explain', sent.values],
      ['explain (generic_plan)', []],
    ] as const) {
      const { rows } = await client.query(`${plan} ${sent.text}`, [...values])
      assert.match(
        rows.map((row) => row['QUERY PLAN']).join('\n'),
        /Bitmap Index Scan on users_by_part/,
        plan,
      )
    }
    assert.deepEqual(await find(stores, resource, 'LOVE'), ['Ada Lovelace'])
    assert.deepEqual(await find(stores, resource, 'op'), ['Grace Hopper'], 'the start of a key')
    assert.deepEqual(await find(stores, resource, 'r'), ['Grace Hopper'])
  })

  test('an index that an interrupted build left is not used, and the next start replaces it', async (t) => {
    const { database, stores, resource } = await withUsers(t)
    const first = await validIndex(database)
    await raw(
      database,
      `update pg_index set indisvalid = false where indexrelid = 'users_by_part'::regclass`,
    )
    assert.equal(await stores.users.hasIndex('love'), false)
    await stores.users.indexSearch(1)

    const building = new Client(database.url)
    await building.connect()
    await building.query('select pg_advisory_lock(20261118, hashtext(current_schema()))')
    await (await openTestStorage(t, 'postgres', { database })).close()
    assert.equal(await validIndex(database), null, 'left to the instance that builds it')
    await building.end()
    await waitUntil('another instance has built it', async () => {
      await (await openTestStorage(t, 'postgres', { database })).close()
      return stores.users.hasIndex('love')
    })
    assert.notEqual(await validIndex(database), first)
    assert.deepEqual(await find(stores, resource, 'love'), ['Ada Lovelace'])
  })

  test('an instance that finds users without an index builds it while it serves', async (t) => {
    const { database, stores, resource } = await withUsers(t)
    await raw(database, 'drop index users_by_part')
    const writer = new Client(database.url)
    await writer.connect()
    t.after(() => writer.end())
    // The build waits for this transaction, which started before.
    await writer.query(
      `begin; update users set name_key = 'countess of ' || name_key where name_key like 'ada%'`,
    )
    const opened = await openTestStorage(t, 'postgres', { database })
    await waitUntil('the build waits', async () => {
      const waiting = `select from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'`
      return (await raw(database, waiting)).length > 0
    })
    assert.equal(await opened.stores.users.hasIndex('love'), false)
    await opened.stores.users.insert(resource, googleProfile('new', { name: 'Clover' }), NOW)
    await writer.query('commit')
    await waitUntil('the index is valid', () => stores.users.hasIndex('love'))
    assert.deepEqual(await find(stores, resource, 'love'), ['Clover', 'Ada Lovelace'])
    assert.deepEqual(await find(stores, resource, 'tess of'), ['Ada Lovelace'])
  })

  test('a sign-in that changes neither address nor name writes no index of users', async (t) => {
    const { database, stores, resource, close } = await withUsers(t)
    const profile = googleProfile('Ada Lovelace', { email: '12@example.com', name: 'Ada Lovelace' })
    for (let count = 1; count <= 5; count++) {
      await stores.users.update(resource, FIRST_INDEXED_ID + 1, profile, NOW + count)
    }
    // A connection that ends leaves its statistics.
    await close()
    let updates: Record<string, unknown> | undefined
    await waitUntil('the statistics have arrived', async () => {
      const sql = `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'users'`
      updates = (await raw(database, sql))[0]
      return updates?.all === 5
    })
    assert.deepEqual(updates, { all: 5, hot: 5 })
  })
})
