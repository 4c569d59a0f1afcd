import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import {
  openTestStorage,
  raw,
  type TestStorageOptions,
  vacuumsOf,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'
import { world } from '../../support/world.ts'

type Location = { readonly engine: 'postgres'; readonly url: string }

async function opened(
  t: TestContext,
  database: Location,
  timing: TestStorageOptions['timing'] = {},
) {
  const storage = await openTestStorage(t, 'postgres', { database, timing })
  const deleteTimes = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      await storage.stores.eraseDeleted()
    }
  }
  return { ...storage, deleteTimes }
}

const freshLocation = async (): Promise<Location> => ({
  engine: 'postgres',
  url: await freshPostgres(),
})

const running = (database: Location): Promise<unknown[]> =>
  raw(
    database,
    `select from pg_stat_activity where query like 'vacuum %' and datname = current_database()`,
  )

/** Each page takes the vacuums of this database 0.4 seconds. */
async function slowDown(database: Location): Promise<void> {
  const name = new URL(database.url).pathname.slice(1)
  await raw(database, `alter database ${name} set vacuum_cost_delay = 100`)
  await raw(database, `alter database ${name} set vacuum_cost_limit = 1`)
  await raw(
    database,
    `insert into events (id, tenant_id, resource_id, event, metadata, created_at)
      select n, 'one-two', 1, 'token_refreshed', repeat(' ', 500), 1 from generate_series(1, 2000) n`,
  )
}

describe('vacuum after deletions', { skip: sqliteOnly }, () => {
  // proves C041
  test('runs at most once a minute, and an end of the process does not wait for the next one', async (t) => {
    const database = await freshLocation()
    const { close, deleteTimes, warnings } = await opened(t, database)
    await deleteTimes(1)
    for (const table of ['login_attempts', 'identities', 'invitations', 'webhook_messages']) {
      await waitUntil(
        `the first deletion is vacuumed: ${table}`,
        async () => (await vacuumsOf(database, table)) === 1,
      )
    }
    await deleteTimes(20)
    await close()
    assert.deepEqual([await vacuumsOf(database), warnings], [1, []])
  })

  // proves C041
  test('deletions during a vacuum wait for nothing, and share the next one', {
    skip: slow,
  }, async (t) => {
    const database = await freshLocation()
    const { deleteTimes, stores } = await opened(t, database, { vacuumEveryMs: 1 })
    await deleteTimes(20)
    await waitUntil(
      'both vacuums ended',
      async () => (await vacuumsOf(database, 'login_attempts')) === 2,
    )
    await waitUntil(
      'their connections are closed',
      async () => (await running(database)).length === 0,
    )
    await stores.eraseDeleted()
    await waitUntil(
      'a later deletion gets its own',
      async () => (await vacuumsOf(database, 'login_attempts')) === 3,
    )
  })

  test('an end of the process cancels the vacuum that runs, on its one connection', {
    skip: slow,
  }, async (t) => {
    const database = await freshLocation()
    await slowDown(database)
    const { close, deleteTimes, warnings } = await opened(t, database, { vacuumEveryMs: 1 })
    await deleteTimes(20)
    await waitUntil('it vacuums', async () => (await running(database)).length > 0)
    await deleteTimes(1)
    assert.equal((await running(database)).length, 1)
    await close()
    await waitUntil('the server has ended it', async () => (await running(database)).length === 0)
    assert.deepEqual([await vacuumsOf(database), warnings], [0, []])
  })

  test('one that fails is reported, and the next deletion gets its own', async (t) => {
    const database = await freshLocation()
    await slowDown(database)
    const { deleteTimes, warnings } = await opened(t, database, { vacuumMs: 1, vacuumEveryMs: 1 })
    for (const failures of [1, 2]) {
      await deleteTimes(1)
      await waitUntil('it is reported', () => warnings.length === failures)
    }
    assert.match(String(warnings), /could not vacuum after a deletion; autovacuum will/)
  })

  // proves C041
  test('while another session has locked a table, a sweep ends, deletes expired logins and vacuums the other tables', {
    skip: slow,
  }, async (t) => {
    const { agent, app, browser, clock, config } = await world(t, { engine: 'postgres' })
    const database = { engine: 'postgres', url: config.databaseUrl ?? '' } as const
    for (let n = 0; n < 3; n++) {
      await browser().open((await agent.createTenant()).loginUrl)
    }
    clock.advance({ hours: 73 })
    const building = new Client(database.url)
    await building.connect()
    t.after(() => building.end())
    // The lock of `create index concurrently`, which takes minutes on a large table.
    await building.query('begin; lock table events in share update exclusive mode')
    let ended = false
    const sweeping = app.sweep().then(() => {
      ended = true
    })
    await waitUntil('the sweep has ended', () => ended)
    await sweeping
    await waitUntil(
      'the users are vacuumed',
      async () => (await vacuumsOf(database, 'users')) === 1,
    )
    assert.deepEqual(await raw(database, 'select from login_attempts'), [])
    assert.equal(await vacuumsOf(database), 0)
    await building.query('commit')
  })
})
