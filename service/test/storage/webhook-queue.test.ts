import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Progress, Stores } from '../../src/domain/stores/stores.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { guest, NOW, openTestStorage } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'

const REF = { tenantId: 'one-two', id: 'wh_1' }
const LEASE = NOW + 30_000
const NOTHING: Progress = {
  failingSince: null,
  failures: 0,
  attempts: [],
  retries: [],
  settled: [],
  messageRetries: [],
  settledMessages: [],
  lease: { until: LEASE },
}

/** The stores of a tenant with one endpoint. */
async function storesWithWebhook(t: TestContext, engine: Engine): Promise<Stores> {
  const { stores, profile } = await openTestStorage(t, engine)
  await stores.tenants.create(guest(REF.tenantId, profile), [])
  const settings = { url: 'https://app.example.com/hook', events: ['logout'] } as const
  await stores.webhooks.add({ ...REF, ...settings, sealed: new Uint8Array([1]), cursor: 0, createdAt: NOW }, 5)
  return stores
}

for (const engine of ENGINES) {
  test(`[${engine}] a range that is replayed keeps its end until it is finished`, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    await stores.webhooks.change(REF, { replay: { after: 2, until: 900 } })
    await stores.webhookQueue.lease(REF, NOW, LEASE)
    assert.equal(await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, replayAfter: 500 }), true)
    assert.deepEqual((await stores.webhooks.find(REF))?.replay, { after: 500, until: 900 })
    assert.equal(await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, replayAfter: null }), true)
    assert.equal((await stores.webhooks.find(REF))?.replay, null)
  })

  test(`[${engine}] a postponed endpoint is due at its new time, unless a deliverer has it until later`, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    const dueAt = async (now: number): Promise<number> => (await stores.webhookQueue.listDue(now, 10)).length
    await stores.webhooks.change(REF, { nextLookAt: NOW })
    assert.equal(await dueAt(NOW), 1)
    await stores.webhookQueue.postpone(REF, NOW + 60_000)
    assert.deepEqual([await dueAt(NOW + 59_999), await dueAt(NOW + 60_000)], [0, 1])

    const leased = await stores.webhookQueue.lease(REF, NOW, NOW + 120_000)
    await stores.webhookQueue.postpone(REF, NOW + 90_000)
    assert.deepEqual(await stores.webhooks.find(REF), leased)
  })

  test(`[${engine}] an endpoint that is disabled with a result isn't due again`, { skip: slow }, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    await stores.webhookQueue.lease(REF, NOW, LEASE)
    assert.equal(await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, disabledReason: 'gone' }), true)
    assert.equal((await stores.webhooks.find(REF))?.disabledReason, 'gone')
    assert.deepEqual(await stores.webhookQueue.listDue(LEASE + 1, 10), [])
  })
}
