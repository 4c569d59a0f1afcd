import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { generate } from '../../support/population/generate.ts'
import { Population } from '../../support/population/population.ts'
import { ENGINES, type Engine } from '../../support/postgres/engines.ts'
import { freshDatabase, openTestStorage, type TestStorage } from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'
import { recordAllStatements } from './call-all-stores.ts'
import { hasBareLimit, namesTenantTwice, scansOnPostgres, scansOnSqlite } from './table-scans.ts'

/** Enough rows for a planner to choose by: one large tenant and many small ones. */
const USERS = 20_000

for (const engine of ENGINES) {
  test(`[${engine}] no statement scans a whole table, or all rows of a tenant for one page`, {
    skip: slow,
  }, async (t) => {
    const storage = await populated(t, engine)
    const own = [...new Set((await recordAllStatements(t, storage)).map(({ sql }) => sql))]

    const scanned =
      engine === 'sqlite' ? scansOnSqlite(storage, own) : await scansOnPostgres(storage, own)
    assert.deepEqual(
      scanned.filter((plan) => !isBoundedSearch(plan)),
      [],
    )
    assert.deepEqual(
      own.filter(namesTenantTwice),
      [],
      'a page that names the tenant twice (`stillActive`)',
    )
    if (engine === 'sqlite') {
      assert.deepEqual(own.filter(hasBareLimit), [], 'a bare value as limit (`opaqueLimit`)')
    }
  })
}

/**
 * The console searches and sorts users by what no index has. `searchUsers` bounds what such a statement reads: a span of 10,000 ids,
 * what an index finds in one, or a list of at most 10,000 users. They are the only statements with `strpos` or an offset.
 */
const isBoundedSearch = (plan: string): boolean =>
  /(?: from| as) "users" .*(?:strpos\(.*"id" >= | offset \S+$)/s.test(plan)

async function populated(t: TestContext, engine: Engine): Promise<TestStorage> {
  const database = await freshDatabase(t, engine)
  await generate(database, new Population(USERS))
  return openTestStorage(t, engine, { database })
}
