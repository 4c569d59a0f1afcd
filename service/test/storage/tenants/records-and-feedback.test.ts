import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestRecord } from '../../../src/domain/stores/stores.ts'
import type { NewFeedback } from '../../../src/domain/tenants/feedback.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { guest, NOW, openTestStorage } from '../../support/postgres/storage.ts'

const request = (
  tenantId: string,
  at: number,
  changes: Partial<RequestRecord> = {},
): RequestRecord => ({
  tenantId,
  at,
  method: 'POST',
  route: '/api/resources/:name',
  status: 201,
  ms: 3.25,
  requestId: `request-${at}`,
  ...changes,
})

const report = (changes: Partial<NewFeedback> = {}): NewFeedback => ({
  tenantId: 'one-two',
  kind: 'discount',
  text: 'It’s “fine”; 👍',
  createdAt: NOW,
  accountId: 1,
  tokenHash: null,
  ...changes,
})

const UNLIMITED = { since: 0, limit: 1_000 }

const times = (records: readonly RequestRecord[]): number[] => records.map(({ at }) => at - NOW)

for (const engine of ENGINES) {
  test(`[${engine}] request records come newest first, for the given tenants, after the given time`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { requestRecords } = stores
    const first = request('a', NOW + 1, { ms: 12 })
    // Written out of order, as two instances do.
    await requestRecords.append([request('a', NOW + 3), first, request('b', NOW + 2)])
    await requestRecords.append([request('a', NOW + 2, { ms: 0.001 }), request('c', NOW + 9)])
    await requestRecords.append([])

    assert.deepEqual(times(await requestRecords.recent(['a', 'b'], 0, 10)), [3, 2, 2, 1])
    assert.deepEqual((await requestRecords.recent(['a', 'b'], 0, 10)).at(-1), first)
    assert.deepEqual(times(await requestRecords.recent(['a', 'b'], 0, 2)), [3, 2])
    assert.deepEqual(times(await requestRecords.recent(['a', 'b'], NOW + 2, 10)), [3])
    assert.deepEqual(await requestRecords.recent(['a'], NOW + 3, 10), [])
    assert.deepEqual(await requestRecords.recent(['unknown'], 0, 10), [])
    assert.deepEqual(await requestRecords.recent([], 0, 10), [])

    await requestRecords.removeByTenant('a')
    assert.deepEqual(times(await requestRecords.recent(['a', 'b', 'c'], 0, 10)), [9, 2])
  })

  test(`[${engine}] request records of hundreds of tenants are merged; batches of any size are written`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const tenants = Array.from({ length: 130 }, (_, index) => `tenant-${index}`)
    const records = tenants.flatMap((tenantId, index) =>
      Array.from({ length: 10 }, (_, at) =>
        request(tenantId, NOW + at * 1_000 + ((index * 7) % 130)),
      ),
    )
    await stores.requestRecords.append(records)
    const newest = records.map(({ at }) => at - NOW).sort((a, b) => b - a)
    assert.deepEqual(
      times(await stores.requestRecords.recent(tenants, 0, 100)),
      newest.slice(0, 100),
    )
    assert.deepEqual(times(await stores.requestRecords.recent(tenants, 0, 5_000)), newest)
  })

  test(`[${engine}] request records are swept by age and beyond the newest of each tenant`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { requestRecords } = stores
    const of = (tenantId: string) => requestRecords.recent([tenantId], 0, 100).then(times)
    const busy = Array.from({ length: 10 }, (_, index) => request('busy', NOW + index))
    await requestRecords.append([...busy, request('quiet', NOW), request('quiet', NOW + 9)])

    assert.equal(await requestRecords.sweep(NOW + 1, 3, 1), 1)
    assert.equal(
      await requestRecords.sweep(NOW + 1, 3, 4),
      4,
      'the other old record, and three beyond the newest',
    )
    assert.equal(await requestRecords.sweep(NOW + 1, 3, 4), 3)
    assert.equal(await requestRecords.sweep(NOW + 1, 3, 4), 0)
    assert.deepEqual(await of('busy'), [9, 8, 7])
    assert.deepEqual(await of('quiet'), [9])

    // Later records are swept too, by this instance and by one that starts now.
    await requestRecords.append([
      request('busy', NOW + 20),
      request('quiet', NOW + 20),
      request('late', NOW + 8),
    ])
    const second = await openTestStorage(t, engine, { database })
    assert.equal(await second.stores.requestRecords.sweep(NOW, 3, 100), 1)
    assert.equal(await requestRecords.sweep(NOW, 3, 100), 0)
    assert.deepEqual(await of('busy'), [20, 9, 8])
    assert.deepEqual(await of('quiet'), [20, 9])
    await requestRecords.append([request('busy', NOW + 21)])
    assert.equal(await requestRecords.sweep(NOW, 3, 100), 1)
    assert.equal(await requestRecords.sweep(NOW + 21, 3, 100), 5)
    assert.deepEqual(await of('busy'), [21])
  })

  test(`[${engine}] concurrent sweeps leave each tenant its newest request records`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const tenants = Array.from({ length: 5 }, (_, index) => `tenant-${index}`)
    await one.stores.requestRecords.append(
      tenants.flatMap((tenantId) =>
        Array.from({ length: 60 }, (_, at) => request(tenantId, NOW + at)),
      ),
    )
    const drain = async ({ requestRecords }: typeof one.stores) => {
      let removed = 0
      for (let some = 7; some === 7; removed += some) {
        some = await requestRecords.sweep(NOW, 10, 7)
      }
      return removed
    }
    const removed = await Promise.all([drain(one.stores), drain(two.stores)])
    assert.equal(removed[0] + removed[1], 5 * 50)
    for (const tenantId of tenants) {
      assert.deepEqual(
        times(await one.stores.requestRecords.recent([tenantId], 0, 100)),
        Array.from({ length: 10 }, (_, index) => 59 - index),
      )
    }
  })

  test(`[${engine}] feedback is listed in order; only an accepted report counts for the discount`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { feedback } = stores
    assert.equal(await feedback.lastAcceptedAt(1), null)
    await feedback.append(report({ tokenHash: 'token-1', createdAt: NOW + 5 }), UNLIMITED)
    await feedback.append(report({ tokenHash: 'token-2', createdAt: NOW + 1 }), UNLIMITED)
    await feedback.append(report({ createdAt: NOW + 9 }), UNLIMITED)
    await feedback.append(
      report({ kind: 'service', accountId: null, createdAt: NOW + 10 }),
      UNLIMITED,
    )
    await feedback.append(
      report({ tokenHash: 'token-3', accountId: 2, createdAt: NOW + 11 }),
      UNLIMITED,
    )
    assert.equal(await feedback.lastAcceptedAt(1), NOW + 5)
    assert.equal(await feedback.lastAcceptedAt(2), NOW + 11)
    assert.equal(await feedback.lastAcceptedAt(3), null)

    const [first, second, ...none] = await feedback.page(0, 2)
    assert.deepEqual(none, [])
    const { tenantId, kind, text } = report()
    assert.deepEqual(first, { id: first?.id, tenantId, kind, text, createdAt: NOW + 5 })
    const rest = await feedback.page(second?.id ?? 0, 10)
    assert.deepEqual(
      rest.map((each) => [each.kind, each.createdAt - NOW]),
      [
        ['discount', 9],
        ['service', 10],
        ['discount', 11],
      ],
    )
  })

  test(`[${engine}] of 20 concurrent messages of one tenant on two instances, only as many are kept as it may have`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    for (const id of ['one-two', 'three-four']) {
      await one.stores.tenants.create(guest(id, one.profile), [])
    }
    const kept = { since: NOW - 10, limit: 5 }
    await one.stores.feedback.append(report({ createdAt: NOW - 10 }), kept)
    await one.stores.feedback.append(report({ tenantId: 'three-four' }), kept)

    const appended = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? one : two).stores.feedback.append(report({ createdAt: NOW + at }), kept),
      ),
    )
    assert.equal(
      appended.filter((each) => each).length,
      5,
      'an entry from before `since` does not count',
    )
    assert.equal((await two.stores.feedback.page(0, 100)).length, 7)
    assert.equal(await two.stores.feedback.append(report(), kept), false)
    assert.equal(await two.stores.feedback.append(report({ tenantId: 'three-four' }), kept), true)
    const [, first] = await two.stores.feedback.page(0, 100, 'one-two')
    assert.ok((await two.stores.feedback.oldestAt('one-two', kept.since)) !== NOW - 10)
    assert.equal(await two.stores.feedback.oldestAt('unknown', 0), null)

    assert.equal(await two.stores.feedback.remove([first?.id ?? 0, 1_000_000]), 1)
    assert.equal(await two.stores.feedback.append(report(), kept), true, 'a deletion makes room')
    assert.equal(await two.stores.feedback.removeByTenant('one-two'), 6)
    assert.equal(await two.stores.feedback.removeByTenant('one-two'), 0)
    assert.deepEqual(
      (await one.stores.feedback.page(0, 100)).map(({ tenantId }) => tenantId),
      ['three-four', 'three-four'],
    )
  })

  test(`[${engine}] feedback is swept by age, the oldest first`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    for (const at of [3, 1, 2]) {
      await stores.feedback.append(report({ createdAt: NOW + at }), UNLIMITED)
    }
    assert.equal(await stores.feedback.sweep(NOW + 3, 1), 1)
    assert.deepEqual(
      (await stores.feedback.page(0, 10)).map(({ createdAt }) => createdAt - NOW),
      [3, 2],
    )
    assert.equal(await stores.feedback.sweep(NOW + 3, 10), 1)
    assert.equal(await stores.feedback.sweep(NOW + 3, 10), 0)
  })
}
