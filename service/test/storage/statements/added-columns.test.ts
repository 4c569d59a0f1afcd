import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { openTestStorage, withConnection } from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'
import { recordAllStatements } from './call-all-stores.ts'

const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
/** The service writes their rows when it starts. */
const KEPT = /^(?:lineage|migration)/

test('statements that a connection has prepared keep working when a newer release adds a column to every table', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const storage = await openTestStorage(t, 'postgres')
  await recordAllStatements(t, storage)
  await withConnection(storage.database, async (query) => {
    const names = (await query(TABLES)).map(({ name }) => String(name))
    for (const name of names) {
      await query(`alter table ${name} add column added_later text`)
    }
    await query(`truncate ${names.filter((name) => !KEPT.test(name)).join()} restart identity`)
  })
  await assert.doesNotReject(recordAllStatements(t, storage))
})
