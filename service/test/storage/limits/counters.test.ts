import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { NOW, openTestStorage } from '../../support/postgres/storage.ts'

const minute: Counter = { scope: 'tenant:one-two', window: 'minute', start: NOW }
const users: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

for (const engine of ENGINES) {
  test(`[${engine}] a counter never exceeds its limit`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    assert.equal(await counters.spend(minute, 1, 3), 1)
    assert.equal(await counters.spend(minute, 2, 3), 3)
    assert.equal(await counters.spend(minute, 1, 3), null)
    assert.equal(await counters.spend(users, 1, 0), null, 'the first charge is over the limit too')
    assert.equal(await counters.spend(users, 5, 4), null)
    assert.equal(await counters.spend(users, 1_000_000, null), 1_000_000)
    assert.equal(await counters.spend(users, 1, null), 1_000_001)
    assert.equal(await counters.remove({ ...minute, start: NOW + 60_000 }), 0)
    assert.equal(await counters.remove(minute), 3)
  })

  test(`[${engine}] a released charge can be spent again, and a counter never goes below zero`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    await counters.spend(minute, 3, 3)
    await counters.release(minute, 1)
    assert.equal(await counters.spend(minute, 1, 3), 3)
    await counters.release(minute, 10)
    await counters.release(users, 10)
    assert.deepEqual([await counters.remove(minute), await counters.remove(users)], [0, 0])
    await counters.spend(users, 4, null)
    assert.deepEqual([await counters.remove(users), await counters.remove(users)], [4, 0])
  })

  test(`[${engine}] of 50 concurrent charges with a limit of 5, exactly 5 succeed with distinct values`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const spent = await Promise.all(
      Array.from({ length: 50 }, () => stores.counters.spend(minute, 1, 5)),
    )
    assert.deepEqual(spent.filter((used) => used !== null).sort(), [1, 2, 3, 4, 5])
  })

  test(`[${engine}] old minute counters are swept; others stay`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    const ids: Counter = { ...users, window: 'user-ids' }
    const later: Counter = { ...minute, start: NOW + 60_000 }
    const elsewhere: Counter = { ...users, scope: 'guests:203.0.113.0' }
    for (const each of [minute, { ...minute, start: NOW - 60_000 }, later, ids, users, elsewhere]) {
      await counters.spend(each, 1, null)
    }
    assert.equal(await counters.sweep(NOW + 60_000, 1), 1)
    assert.equal(await counters.sweep(NOW + 60_000, 10), 1)
    assert.equal(await counters.sweep(NOW + 60_000, 10), 0)
    const left = [minute, later, ids, users, elsewhere].map((each) => counters.remove(each))
    assert.deepEqual(await Promise.all(left), [0, 1, 1, 1, 1])
  })
}
