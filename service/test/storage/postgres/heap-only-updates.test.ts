import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import {
  HOUR_MS,
  NOW,
  openTestStorage,
  refreshSession,
  rotation,
  signInUser,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

const REFRESHES = 20

// proves C321
test('a refresh updates no index of sessions and no row of users on PostgreSQL (heap-only updates)', {
  skip: sqliteOnly,
}, async (t) => {
  const { stores, database, close } = await openTestStorage(t, 'postgres')
  assert.ok(database.engine === 'postgres')
  const { resource, session: first } = await signInUser(stores)
  const client = new Client(database.url)
  await client.connect()
  t.after(() => client.end())
  const updates = async (table: string): Promise<{ all: number; heapOnly: number }> => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(
      'select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = $1',
      [table],
    )
    return { all: rows[0].all, heapOnly: rows[0].hot }
  }

  let session = first
  for (let count = 1; count <= REFRESHES; count++) {
    session =
      (await refreshSession(stores, resource, rotation(session, NOW + count * HOUR_MS))) ??
      assert.fail()
  }
  // A connection that ends leaves its statistics.
  await close()
  await waitUntil(
    'the statistics have arrived',
    async () => (await updates('sessions')).all >= REFRESHES,
  )
  assert.deepEqual(await updates('sessions'), { all: REFRESHES, heapOnly: REFRESHES })
  assert.deepEqual(await updates('users'), { all: 0, heapOnly: 0 })
})
