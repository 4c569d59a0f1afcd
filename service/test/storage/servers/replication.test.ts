import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { startPair } from '../../support/postgres/pg-pair.ts'
import { openTestStorage, raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

test('the metrics know how many standbys a commit waits for', { skip: sqliteOnly }, async (t) => {
  const { primary, stop } = await startPair({ synchronous: true })
  t.after(stop)
  const { storage } = await openTestStorage(t, 'postgres', {
    database: { engine: 'postgres', url: primary.url },
  })
  assert.equal(storage.replicationStats(), null, 'the first call only starts reading')
  await waitUntil('it is read', () => storage.replicationStats() !== null)
  assert.deepEqual(storage.replicationStats(), { standbys: 1, synchronous: 1 })
})

test('without standbys their number is 0, and SQLite has no such number', {
  skip: sqliteOnly,
}, async (t) => {
  const { storage } = await openTestStorage(t, 'postgres')
  await waitUntil('it is read', () => storage.replicationStats() !== null)
  assert.deepEqual(storage.replicationStats(), { standbys: 0, synchronous: 0 })
  const sqlite = await openTestStorage(t, 'sqlite')
  assert.equal(sqlite.storage.replicationStats(), null)
})

test('a role outside pg_monitor sees the number of standbys and not their state', {
  skip: sqliteOnly,
}, async (t) => {
  const { primary, stop } = await startPair({ synchronous: true })
  t.after(stop)
  const admin = { engine: 'postgres', url: primary.url } as const
  await raw(admin, 'create role plain login')
  await raw(admin, 'create schema plain authorization plain')
  const url = new URL(primary.url)
  url.username = 'plain'
  const { storage } = await openTestStorage(t, 'postgres', {
    database: { engine: 'postgres', url: url.href },
  })
  await waitUntil('it is read', () => storage.replicationStats() !== null)
  assert.deepEqual(storage.replicationStats(), { standbys: 1, synchronous: null })
})
