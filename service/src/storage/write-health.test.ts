import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../domain/api-error.ts'
import { classifyError } from './database-errors.ts'
import { WriteHealth } from './write-health.ts'

const works = async (): Promise<void> => {}
const databaseError = (fields: object): unknown =>
  classifyError(Object.assign(new Error('failed'), fields))

for (const [cause, error, reason] of [
  ['a full disk of SQLite', databaseError({ errcode: 13 }), 'the disk of the database is full'],
  [
    'a full disk of PostgreSQL',
    databaseError({ code: '53100' }),
    'the disk of the database is full',
  ],
  ['a read-only file', databaseError({ errcode: 8 }), 'the database is read-only'],
  ['a standby', databaseError({ code: '25006' }), 'no PostgreSQL server accepts writes'],
  ['another cause', databaseError({ code: '57P01' }), 'writes to the database fail'],
] as const) {
  test(`after a request that failed by ${cause}, readiness says "${reason}" until a write succeeds`, async () => {
    let fails = true
    let tries = 0
    const health = new WriteHealth(works, async () => {
      tries += 1
      if (fails) {
        throw error
      }
    })
    assert.deepEqual(
      [await health.problem(), tries],
      [null, 0],
      'no write is tried before a request fails',
    )
    health.suspect()
    assert.equal(await health.problem(), reason)
    assert.equal(await health.problem(), reason, 'also without traffic')
    fails = false
    assert.equal(await health.problem(), null)
    assert.deepEqual([await health.problem(), tries], [null, 3])
  })
}

// proves C368
test('a write that does not end within a second fails readiness, and only one is tried at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let tries = 0
  const health = new WriteHealth(works, () => {
    tries += 1
    return promise
  })
  health.suspect()
  const waiting = [health.problem(), health.problem()]
  assert.deepEqual(
    await Promise.all(waiting),
    Array(2).fill('the database does not confirm writes'),
  )
  resolve()
  assert.deepEqual([await health.problem(), tries], [null, 1])
})

test('a database that cannot be read is out of reach, and a standby is named', async () => {
  const health = (error: unknown) => new WriteHealth(() => Promise.reject(error), works)
  assert.equal(await health(new Unavailable('x')).problem(), 'a database is out of reach')
  const standby = new Unavailable('db1', {
    cause: new Error('this PostgreSQL server is a standby: it is in recovery'),
  })
  assert.equal(await health(standby).problem(), 'no PostgreSQL server accepts writes')
})
