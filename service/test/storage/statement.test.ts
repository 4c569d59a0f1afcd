import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import type { Slots } from '../../src/storage/slots.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { statement } from '../../src/storage/statement.ts'
import type { Tables } from '../../src/storage/tables/tables.ts'
import { TIMING } from '../../src/storage/timing.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { freshDatabase, TEST_TIMING } from '../support/postgres/storage.ts'

const options = { warn: () => {}, lostWrite: () => {}, timing: { ...TIMING, ...TEST_TIMING } }

async function database(t: TestContext, engine: Engine): Promise<Database> {
  const database = await freshDatabase(t, engine)
  const opened = await (database.engine === 'sqlite'
    ? openSqlite(database.file, options)
    : openPostgres(database, options))
  t.after(() => opened.close())
  return opened
}

interface NewAccount {
  readonly email: string
  readonly name: string | null
  readonly at: number
}

const add = statement((db, { email, name, at }: Slots<NewAccount>) =>
  db
    .insertInto('accounts')
    .values({
      issuer: 'i',
      subject: email,
      email,
      name,
      tier: 'free',
      created_at: at,
      last_seen: at,
    })
    .returning(['id', 'subject', 'email', 'name', 'created_at']),
)

const rename = statement((db, { from, to }: Slots<{ from: string; to: string | null }>) =>
  db.updateTable('accounts').set({ name: to }).where('email', '=', from).where('tier', '=', 'free'),
)

const emails = statement((db, { those }: Slots<{ those: readonly { email: string }[] }>) =>
  db
    .selectFrom('accounts')
    .select('email')
    .where(
      'email',
      'in',
      those.map(({ email }) => email),
    )
    .orderBy('email'),
)

const ada: NewAccount = { email: 'ada@example.com', name: 'Ada', at: 7 }
const alan: NewAccount = { email: 'alan@example.com', name: null, at: 8 }

for (const engine of ENGINES) {
  test(`[${engine}] a statement binds each value wherever it is named`, async (t) => {
    const { read, write } = await database(t, engine)
    const { id, ...stored } = await add.one(write, ada)
    assert.equal(typeof id, 'number')
    assert.deepEqual(
      { ...stored },
      { subject: ada.email, email: ada.email, name: 'Ada', created_at: 7 },
    )
    assert.equal((await add.first(write, alan))?.name, null, 'null is a value')

    assert.equal(await rename.run(write, { from: ada.email, to: null }), 1)
    assert.equal(await rename.run(write, { from: alan.email, to: 'Alan' }), 1)
    assert.equal(await rename.run(write, { from: 'unknown@example.com', to: 'Unknown' }), 0)
    const rows = await read.selectFrom('accounts').select(['email', 'name']).orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ email, name }) => [email, name]),
      [
        [ada.email, null],
        [alan.email, 'Alan'],
      ],
    )
  })

  test(`[${engine}] a statement is compiled once, inside and outside transactions`, async (t) => {
    const { write } = await database(t, engine)
    let compiled = 0
    const named = statement((db, { email }: Slots<{ email: string }>) => {
      compiled += 1
      return db.selectFrom('accounts').select('name').where('email', '=', email)
    })
    await add.one(write, ada)
    assert.equal((await named.first(write, ada))?.name, 'Ada')
    await write.transaction().execute(async (open) => {
      await add.one(open, alan)
      assert.equal((await named.one(open, alan)).name, null)
      assert.equal((await named.one(open, ada)).name, 'Ada')
    })
    assert.deepEqual(await named.rows(write, { email: 'unknown@example.com' }), [])
    assert.equal(compiled, 1)
  })

  test(`[${engine}] a statement in a transaction is rolled back with it`, async (t) => {
    const { read, write } = await database(t, engine)
    const failed = write.transaction().execute(async (open) => {
      await add.one(open, ada)
      assert.equal((await emails.rows(open, { those: [ada] })).length, 1)
      throw new Error('rolled back')
    })
    await assert.rejects(failed, /rolled back/)
    assert.deepEqual(await emails.rows(read, { those: [ada] }), [])
  })

  test(`[${engine}] a list has one slot per item, and each length is compiled once`, async (t) => {
    const { write } = await database(t, engine)
    for (const each of [ada, alan]) {
      await add.one(write, each)
    }
    let compiled = 0
    const count = statement((db, { those }: Slots<{ those: readonly string[] }>) => {
      compiled += 1
      return db
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('email', 'in', those)
    })
    const countOf = async (...those: string[]) => (await count.one(write, { those })).count
    assert.equal(await countOf(ada.email, alan.email), 2)
    assert.equal(await countOf(ada.email), 1)
    assert.equal(await countOf(ada.email, 'unknown@example.com'), 1)
    assert.equal(await countOf(alan.email), 1)
    assert.equal(compiled, 2)
    const found = await emails.rows(write, { those: [alan, ada] })
    assert.deepEqual(
      found.map(({ email }) => email),
      [ada.email, alan.email],
    )
  })

  test(`[${engine}] a missing value is an error, at the first call and later`, async (t) => {
    const { read, write } = await database(t, engine)
    const { email, ...nameless } = ada
    const missing = nameless as NewAccount
    await assert.rejects(add.one(write, missing), new TypeError('no value for email'))
    await add.one(write, alan)
    await assert.rejects(add.one(write, missing), new TypeError('no value for email'))
    await assert.rejects(
      add.one(write, { ...ada, name: undefined as unknown as null }),
      /no value for name/,
    )
    await assert.rejects(
      emails.rows(read, { those: [{} as { email: string }] }),
      /no value for those\.0\.email/,
    )
    assert.deepEqual(await emails.rows(read, { those: [{ email }] }), [])
  })

  test(`[${engine}] reading one row rejects if there is none`, async (t) => {
    const { read } = await database(t, engine)
    await assert.rejects(emails.one(read, { those: [ada] }), /no row/)
    assert.equal(await emails.first(read, { those: [ada] }), undefined)
  })
}

test('bytes are one value, and slots cannot be spread', async (t) => {
  const { write } = await database(t, 'sqlite')
  const bytes = statement((db, { of }: Slots<{ of: { salt: Uint8Array } }>) =>
    db.selectNoFrom((eb) => eb.cast<string>(eb.fn('hex', [of.salt]), 'text').as('hex')),
  )
  assert.equal((await bytes.one(write, { of: { salt: Uint8Array.of(1, 255) } })).hex, '01FF')
  const spread = statement((db, slots: Slots<NewAccount>) =>
    db.selectNoFrom((eb) => eb.cast<number>({ ...slots }.at, 'integer').as('at')),
  )
  await assert.rejects(spread.one(write, ada), /names each of its slots/)
})

/** Never called: calls that the compiler must reject. */
export function rejectedByTypes(db: Kysely<Tables>): unknown[] {
  return [
    // @ts-expect-error a number instead of text
    add.one(db, { ...ada, email: 7 }),
    // @ts-expect-error a missing value
    rename.run(db, { from: 'ada@example.com' }),
    // @ts-expect-error a command returns no rows
    rename.rows(db, { from: 'ada@example.com', to: null }),
    // @ts-expect-error a query does not return the number of changed rows
    add.run(db, ada),
    // @ts-expect-error a slot has no value
    ({ at }: Slots<NewAccount>) => at + 1,
    statement((each, { email }: Slots<NewAccount>) =>
      // @ts-expect-error a slot for text compared with a column of numbers
      each.selectFrom('accounts').select('id').where('id', '=', email),
    ),
  ]
}
