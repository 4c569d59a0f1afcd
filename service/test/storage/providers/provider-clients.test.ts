import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../support/postgres/engines.ts'
import { NOW, openTestStorage } from '../../support/postgres/storage.ts'
import { providerClient } from '../statements/call-provider-stores.ts'

for (const engine of ENGINES) {
  test(`[${engine}] a client that was activated replaces the one in use, and a newer pending one stays`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { providerClients: clients } = stores
    const first = providerClient('one-two', 'pc_1')
    const second = providerClient('one-two', 'pc_2', { createdAt: NOW + 1 })
    const current = async () =>
      (await clients.listCurrent('one-two')).map(({ id, status }) => `${id} ${status}`)
    await clients.add(first)
    assert.equal(await clients.activate(first, NOW + 1), true)
    await clients.add(second)
    assert.deepEqual(await current(), ['pc_1 active', 'pc_2 pending'])
    assert.equal(await clients.activate(first, NOW + 2), true)
    assert.deepEqual(await current(), ['pc_1 active', 'pc_2 pending'])

    assert.equal(await clients.activate(second, NOW + 3), true)
    assert.deepEqual(await current(), ['pc_2 active'])
    assert.deepEqual(await clients.find(second), { ...second, status: 'active', testedAt: NOW + 3 })
    // A login that began with it can still end.
    const retired = { ...first, status: 'active' as const, testedAt: NOW + 2, retiredAt: NOW + 3 }
    assert.deepEqual(await clients.find(first), retired)
    assert.equal(await clients.activate(first, NOW + 4), false)
    assert.equal(await clients.setStatus(first, 'active', 'failing'), false)
    assert.deepEqual(await clients.find(first), retired)
  })

  test(`[${engine}] a status changes only from the one that was read, and only of the named tenant`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { providerClients: clients } = stores
    const client = providerClient('one-two', 'pc_1', { status: 'active' })
    const namesake = providerClient('three-four', 'pc_1', { status: 'active' })
    for (const each of [client, namesake]) {
      await clients.add(each)
    }
    assert.equal(await clients.setStatus(client, 'failing', 'active'), false)
    assert.equal(await clients.setStatus(client, 'active', 'failing'), true)
    assert.equal(await clients.setStatus(client, 'active', 'failing'), false)
    assert.equal((await clients.find(client))?.status, 'failing')
    assert.deepEqual(await clients.listCurrent('three-four'), [namesake])
  })

  test(`[${engine}] a retired client is deleted after its time, and a current one never`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { providerClients: clients } = stores
    const kept = providerClient('one-two', 'pc_1', { provider: 'apple' })
    for (const each of [kept, providerClient('one-two', 'pc_2')]) {
      await clients.add(each)
    }
    assert.equal(await clients.retire('one-two', 'github', NOW), 1)
    assert.equal(await clients.retire('one-two', 'github', NOW), 0)
    assert.equal(await clients.sweep(NOW - 1, 10), 0)
    assert.equal(await clients.sweep(NOW, 10), 1)
    assert.equal(await clients.find({ tenantId: 'one-two', id: 'pc_2' }), null)
    assert.deepEqual(await clients.listCurrent('one-two'), [kept])
  })
}
