import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Kysely } from 'kysely'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { classifyError, isLostWrite } from '../../../src/storage/database-errors.ts'
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.ts'
import { SqliteDriver, type SqliteDriverOptions } from '../../../src/storage/sqlite/driver.ts'
import { openToRead, openToWrite, type SqliteFile } from '../../../src/storage/sqlite/file.ts'
import { freshFolder } from '../../support/postgres/engines.ts'

interface Notes {
  readonly notes: { readonly text: string }
}

/** A SQLite file whose statements are recorded and can be made to fail. */
async function notebook(t: TestContext, options: SqliteDriverOptions = {}) {
  const path = join(await freshFolder(), 'notes.db')
  const file = openToWrite(path)
  const statements: string[] = []
  const failing = new Map<string, () => never>()
  const recorded: SqliteFile = {
    run(sql, parameters) {
      statements.push(sql)
      failing.get(sql)?.()
      return file.run(sql, parameters)
    },
    batches: (sql, size) => file.batches(sql, size),
    get inTransaction() {
      return file.inTransaction
    },
    close: () => file.close(),
  }
  file.run('create table notes (text text primary key) strict', [])
  const driver = new SqliteDriver(recorded, options)
  const db = new Kysely<Notes>({ dialect: sqliteDialect(driver) })
  const reader = openToRead(path)
  t.after(async () => {
    await db.destroy()
    reader.close()
  })
  return {
    db,
    driver,
    failing,
    commits: () => statements.filter((sql) => sql === 'commit').length,
    savepoints: () => statements.filter((sql) => sql.startsWith('savepoint')).length,
    /** Committed rows, read on another connection. */
    written: () =>
      reader
        .run('select text from notes order by text', [])
        .rows.map((row) => (row as { text: string }).text),
    write: (text: string) => db.insertInto('notes').values({ text }).execute(),
    inTransaction: (text: string, then?: () => Promise<void>) =>
      db.transaction().execute(async (open) => {
        await open.insertInto('notes').values({ text }).execute()
        await then?.()
      }),
    runSync: (text: string) =>
      driver.runSync((run) => run('insert into notes (text) values (?)', [text])),
  }
}

const diskFull = (): never => {
  throw classifyError(
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
  )
}

const fsyncFailed = (): never => {
  throw classifyError(
    Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 }),
  )
}

const outcomes = async (all: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(all)).map(({ status }) => status)

test('thirty concurrent writers share one commit, and each resolves only when it is durable', async (t) => {
  const { written, write, inTransaction, runSync, commits } = await notebook(t)
  const all = Array.from({ length: 30 }, async (_, at) => {
    const text = String(at).padStart(2, '0')
    await [write, inTransaction, runSync][at % 3]?.(text)
    assert.ok(written().includes(text), 'durable before it is acknowledged')
  })
  await Promise.all(all)
  assert.equal(written().length, 30)
  assert.equal(commits(), 1)
})

test('a failed writer is rolled back alone; the others in its commit group stay', async (t) => {
  const { db, driver, written, write, inTransaction, commits } = await notebook(t)
  const failed = inTransaction('b', async () => {
    throw new Error('no')
  })
  const twice = db.transaction().execute(async (open) => {
    await open.insertInto('notes').values({ text: 'e' }).execute()
    await open.insertInto('notes').values({ text: 'e' }).execute()
  })
  const nonsense = driver.runSync((run) => run('nonsense', []))
  const [one, two, three, ...others] = await outcomes([
    failed,
    twice,
    nonsense,
    write('a'),
    write('c'),
    write('d'),
  ])
  assert.deepEqual([one, two, three], ['rejected', 'rejected', 'rejected'])
  assert.deepEqual(others, ['fulfilled', 'fulfilled', 'fulfilled'])
  assert.deepEqual(written(), ['a', 'c', 'd'])
  assert.equal(commits(), 1)
})

test('only a transaction that follows another writer of its group has a savepoint', async (t) => {
  const { inTransaction, write, written, savepoints, commits } = await notebook(t)
  await inTransaction('a')
  assert.equal(savepoints(), 0)
  const alone = inTransaction('b', async () => {
    throw new Error('no')
  })
  await assert.rejects(alone)
  assert.equal(savepoints(), 0, 'alone, it is rolled back with its group')
  const fail = async () => {
    throw new Error('no')
  }
  const all = [write('c'), inTransaction('e', fail), inTransaction('d')]
  assert.deepEqual(await outcomes(all), ['fulfilled', 'rejected', 'fulfilled'])
  assert.equal(savepoints(), 2)
  assert.deepEqual(written(), ['a', 'c', 'd'])
  assert.equal(commits(), 2)
})

test('a synchronous writer that fails after its first write takes its group with it: nothing half-written is committed', async (t) => {
  const { driver, written, runSync, write, commits } = await notebook(t)
  const first = runSync('a')
  const half = driver.runSync((run) => {
    run('insert into notes (text) values (?)', ['b'])
    run('insert into notes (text) values (?)', ['b'])
  })
  assert.deepEqual(await outcomes([first, half, write('c')]), ['rejected', 'rejected', 'fulfilled'])
  await assert.rejects(first, Unavailable)
  assert.deepEqual(written(), ['c'], 'a later writer begins a new group')
  assert.equal(commits(), 1)
})

test('a failed commit rejects all writers of its group and none of the next', async (t) => {
  const { written, write, inTransaction, failing } = await notebook(t)
  failing.set('commit', diskFull)
  const all = [write('a'), inTransaction('b'), write('c')]
  assert.deepEqual(await outcomes(all), ['rejected', 'rejected', 'rejected'])
  await assert.rejects(all[0] as Promise<unknown>, Unavailable)
  assert.deepEqual(written(), [])

  failing.clear()
  await Promise.all([write('a'), inTransaction('b')])
  assert.deepEqual(written(), ['a', 'b'])
})

test('after an error that rolls back the whole transaction, finished writers are rejected and later statements do not run outside it', async (t) => {
  const { db, written, write, failing, driver } = await notebook(t)
  const done = write('a')
  const cut = db.transaction().execute(async (open) => {
    await open.insertInto('notes').values({ text: 'b' }).execute()
    // As a full disk does in the middle of a statement: SQLite rolls back by itself.
    await driver.execute(
      { inTransaction: true, isReleased: false } as never,
      { sql: 'rollback', parameters: [] } as never,
    )
    await open.insertInto('notes').values({ text: 'c' }).execute()
  })
  assert.deepEqual(await outcomes([done, cut]), ['rejected', 'rejected'])
  await assert.rejects(cut, Unavailable)
  assert.deepEqual(written(), [])
  failing.clear()
  await write('d')
  assert.deepEqual(written(), ['d'])
})

test('a failed fsync is reported before the writers are rejected', async (t) => {
  const lost: unknown[] = []
  const { write, failing } = await notebook(t, { lostWrite: (error) => void lost.push(error) })
  failing.set('commit', diskFull)
  await assert.rejects(write('a'))
  assert.deepEqual(lost, [], 'a full disk is not a lost write')
  failing.set('commit', fsyncFailed)
  let reportedFirst = false
  await assert.rejects(
    write('a').catch((error) => {
      reportedFirst = lost.length === 1
      throw error
    }),
  )
  assert.ok(reportedFirst)
  assert.ok(isLostWrite(lost[0]))
})

test('an open transaction is not committed in part by the writers that wait for it', async (t) => {
  const { written, write, inTransaction } = await notebook(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = write('a')
  const slow = inTransaction('b', () => promise)
  const last = write('c')
  await new Promise<void>((next) => setImmediate(next))
  await new Promise<void>((next) => setImmediate(next))
  assert.deepEqual(written(), [], 'a commit now would make half a transaction durable')
  resolve()
  await Promise.all([first, slow, last])
  assert.deepEqual(written(), ['a', 'b', 'c'])
})

test('closing commits earlier writes and rejects later ones', async (t) => {
  const { driver, write, runSync, written } = await notebook(t)
  const before = runSync('a')
  const closing = driver.destroy()
  await assert.rejects(write('b'), Unavailable)
  await Promise.all([before, closing])
  assert.deepEqual(written(), ['a'])
})
