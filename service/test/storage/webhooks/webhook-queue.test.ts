import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import type { Progress, QueuedWebhook, Stores } from '../../../src/domain/stores/stores.ts'
import { ENGINES, type Engine, freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  NOW,
  openTestStorage,
  raw,
  signInUser,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

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
async function storesWithWebhook(t: TestContext, engine: Engine, options = {}): Promise<Stores> {
  const { stores, profile } = await openTestStorage(t, engine, options)
  await stores.tenants.create(guest(REF.tenantId, profile), [])
  const settings = { url: 'https://app.example.com/hook', events: ['logout'] } as const
  await stores.webhooks.add(
    { ...REF, ...settings, sealed: new Uint8Array([1]), cursor: 0, createdAt: NOW },
    5,
  )
  return stores
}

for (const engine of ENGINES) {
  test(`[${engine}] a range that is replayed keeps its end until it is finished`, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    await stores.webhooks.change(REF, { replay: { after: 2, until: 900 } })
    await stores.webhookQueue.lease(REF, NOW, LEASE)
    assert.equal(await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, replayAfter: 500 }), true)
    assert.deepEqual((await stores.webhooks.find(REF))?.replay, { after: 500, until: 900 })
    assert.equal(
      await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, replayAfter: null }),
      true,
    )
    assert.equal((await stores.webhooks.find(REF))?.replay, null)
  })

  test(`[${engine}] an endpoint is due at the time that is set, unless a deliverer has it until later`, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    const dueAt = async (now: number): Promise<number> =>
      (await stores.webhookQueue.listDue(now, 10, 10)).length
    await stores.webhooks.change(REF, { nextLookAt: NOW })
    assert.equal(await dueAt(NOW), 1)
    await stores.webhookQueue.setNextLook(REF, NOW + 60_000)
    assert.deepEqual([await dueAt(NOW + 59_999), await dueAt(NOW + 60_000)], [0, 1])

    const leased = await stores.webhookQueue.lease(REF, NOW, NOW + 120_000)
    await stores.webhookQueue.setNextLook(REF, NOW + 90_000)
    assert.deepEqual(await stores.webhooks.find(REF), leased)
  })

  // proves S012
  test(`[${engine}] the longest due endpoints are listed first, so many of each owner, and guests are one owner`, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    const queue = stores.webhookQueue
    const owned = { tenantId: 'three-four', id: 'wh_2' }
    const { profile } = (await stores.tenants.find(REF.tenantId)) ?? assert.fail()
    await stores.tenants.create(guest(owned.tenantId, profile), [])
    const account = await stores.accounts.signIn(googleProfile('ada'), NOW)
    assert.equal(await stores.ownership.claim(owned.tenantId, account.id, NOW), true)
    const settings = {
      url: 'https://app.example.com/hook',
      events: ['logout'],
      cursor: 0,
      createdAt: NOW,
    } as const
    await stores.webhooks.add({ ...owned, ...settings, sealed: new Uint8Array([1]) }, 5)
    await stores.webhooks.add({ ...owned, id: 'wh_3', ...settings, sealed: new Uint8Array([1]) }, 5)
    await stores.webhooks.change(REF, { nextLookAt: NOW - 3 })
    await stores.webhooks.change(owned, { nextLookAt: NOW - 1 })
    await stores.webhooks.change({ ...owned, id: 'wh_3' }, { nextLookAt: NOW - 2 })
    const other = { ...guest('five-six', profile), id: 'five-six' }
    await stores.tenants.create(other, [])
    const ofGuest = { tenantId: 'five-six', id: 'wh_4' }
    await stores.webhooks.add({ ...ofGuest, ...settings, sealed: new Uint8Array([1]) }, 5)
    await stores.webhooks.change(ofGuest, { nextLookAt: NOW })

    const idsOf = (listed: readonly QueuedWebhook[]) => listed.map(({ id }) => id)
    assert.deepEqual(idsOf(await queue.listDue(NOW, 10, 10)), ['wh_1', 'wh_3', 'wh_2', 'wh_4'])
    assert.deepEqual(idsOf(await queue.listDue(NOW, 10, 2)), ['wh_1', 'wh_3'])
    assert.deepEqual(idsOf(await queue.listDue(NOW, 1, 10)), ['wh_1', 'wh_3'])
    assert.deepEqual(await queue.listDue(NOW - 4, 10, 10), [])

    const wanting = await queue.listWanting([REF.tenantId, owned.tenantId], ['logout'])
    const page = await queue.page({ tenantId: '', id: '' }, 3)
    const due = await queue.listDue(NOW, 10, 3)
    for (const listed of [wanting, due]) {
      const owners = listed.map(({ id, owner }) => `${id} ${owner}`)
      assert.deepEqual(owners.sort(), ['wh_1 null', `wh_2 ${account.id}`, `wh_3 ${account.id}`])
    }
    assert.ok(page.some(({ owner }) => owner === account.id))
  })

  test(`[${engine}] an endpoint that is disabled with a result isn't due again`, {
    skip: slow,
  }, async (t) => {
    const stores = await storesWithWebhook(t, engine)
    await stores.webhookQueue.lease(REF, NOW, LEASE)
    assert.equal(
      await stores.webhookQueue.save(REF, LEASE, { ...NOTHING, disabledReason: 'gone' }),
      true,
    )
    assert.equal((await stores.webhooks.find(REF))?.disabledReason, 'gone')
    assert.deepEqual(await stores.webhookQueue.listDue(LEASE + 1, 10, 10), [])
  })

  test(`[${engine}] no ids and no kinds find no events`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    assert.deepEqual(await stores.events.find(resource, [], ['logout']), [])
    assert.deepEqual(await stores.events.find(resource, [1], []), [])
  })
}

for (const [what, first, second] of [
  ['two users', { userId: 1, kind: 'user.updated' }, { userId: 2, kind: 'user.updated' }],
  [
    'two kinds of one user',
    { userId: 1, kind: 'user.created' },
    { userId: 1, kind: 'user.updated' },
  ],
] as const) {
  test(`[postgres] results of messages about ${what} are saved in one order, so that two transactions never wait for each other`, {
    skip: sqliteOnly || slow,
  }, async (t) => {
    const database = { engine: 'postgres', url: await freshPostgres() } as const
    const stores = await storesWithWebhook(t, 'postgres', { database })
    await stores.webhooks.change(REF, { events: ['user.created', 'user.updated'] })
    for (const { userId, kind } of [first, second]) {
      await stores.userMessages.record(
        REF.tenantId,
        kind,
        [{ id: userId, email: 'ada@example.com' }],
        NOW,
      )
    }
    await stores.webhookQueue.lease(REF, NOW, LEASE)
    const other = new Client(database.url)
    await other.connect()
    t.after(() => other.end())
    const lock = ({ userId, kind }: typeof first | typeof second) =>
      other.query(
        `select from webhook_messages where user_id = $1 and kind = $2 for update nowait`,
        [userId, kind],
      )
    await other.query('begin')
    assert.equal((await lock(first)).rowCount, 1)
    const rest = { email: null, version: 1, attempt: 1, at: NOW }
    const messageRetries = [{ ...second, ...rest, dueAt: NOW + 5 }]
    const saving = stores.webhookQueue.save(REF, LEASE, {
      ...NOTHING,
      messageRetries,
      settledMessages: [{ ...first, ...rest }],
    })
    await waitUntil('the save waits for the first message', async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await raw(database, waiting)).length > 0
    })
    assert.equal((await lock(second)).rowCount, 1, 'it has not locked the second one')
    await other.query('commit')
    assert.equal(await saving, true)
    assert.deepEqual(
      await raw(database, 'select user_id::int, kind, attempt::int from webhook_messages'),
      [{ user_id: second.userId, kind: second.kind, attempt: 1 }],
    )
  })
}
