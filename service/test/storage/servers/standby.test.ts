import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OutcomeUnknown, Unavailable } from '../../../src/domain/api-error.ts'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { faultProxy } from '../../support/faults/fault-proxy.ts'
import { asAdmin, sqliteOnly } from '../../support/postgres/engines.ts'
import { type PgPair, startPair } from '../../support/postgres/pg-pair.ts'
import { openTestStorage, raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

describe('a PostgreSQL server in recovery', { skip: sqliteOnly }, () => {
  let pair: PgPair
  before(async () => {
    pair = await startPair({ synchronous: true })
  })
  after(() => pair.stop())

  test('a name that leads to a standby and back breaks writes only while it does', async (t) => {
    const { primary, standby } = pair
    const proxy = await faultProxy(t, primary.url)
    const database = { engine: 'postgres', url: proxy.url } as const
    const { stores, storage, warnings } = await openTestStorage(t, 'postgres', {
      database,
      timing: { healthyMs: 200 },
    })
    await storage.follow()
    assert.equal(await stores.counters.spend(storedUsers, 1, null), 1)

    proxy.leadTo(standby.url)
    proxy.dropConnections()
    await assert.rejects(stores.counters.spend(storedUsers, 1, null), Unavailable)
    await assert.rejects(
      stores.transaction((open) => open.counters.spend(storedUsers, 1, null)),
      Unavailable,
    )
    await assert.rejects(stores.tenants.find('one-two'), Unavailable, 'its rows may be out of date')
    await assert.rejects(stores.ping(), Unavailable)
    await waitUntil(
      'what the standby returns does not count as up to date',
      () => storage.staleForMs() > 0,
    )
    await waitUntil('a poll that the standby answered has failed', () =>
      warnings.some((text) => text.includes('cannot read revocations')),
    )

    proxy.leadTo(primary.url)
    assert.equal(
      await stores.counters.spend(storedUsers, 1, null),
      2,
      'the failed calls consumed nothing',
    )
    await stores.ping()
    await waitUntil('it is fresh again', () => storage.staleForMs() === 0)
    assert.deepEqual(
      await raw(database, `select used from counters where scope = 'tenant:one-two'`),
      [{ used: '2' }],
    )
  })

  test('writes work again as soon as the server is no longer read-only', async (t) => {
    // Without the feed, whose reads could leave a read-only connection in the pool.
    const { stores, storage, database } = await openTestStorage(t, 'postgres')
    const { url } = database as { url: string }
    const name = new URL(url).pathname.slice(1)
    const readOnly = (value: 'on' | 'off') =>
      asAdmin((admin) =>
        admin.query(`alter database ${name} set default_transaction_read_only = ${value}`),
      )
    // New connections are read-only, as on a managed server whose disk is full.
    await readOnly('on')
    await asAdmin((admin) =>
      admin.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
        [name],
      ),
    )
    await waitUntil('the pool has noticed', () => storage.poolStats()?.size === 0)
    const spend = () => stores.counters.spend(storedUsers, 1, null)
    const error = await spend().catch((error: unknown) => error)
    assert.ok(
      error instanceof Unavailable && !(error instanceof OutcomeUnknown),
      'nothing was consumed',
    )
    await assert.rejects(
      stores.transaction((open) => open.counters.spend(storedUsers, 1, null)),
      Unavailable,
    )
    await readOnly('off')
    assert.equal(await spend(), 1)
  })

  test('a start on a standby fails and says so', async (t) => {
    const database = { engine: 'postgres', url: pair.standby.url } as const
    await assert.rejects(openTestStorage(t, 'postgres', { database }), /is a standby/)
  })
})
