import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { Unavailable } from '../../../src/domain/api-error.ts'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { faultProxy } from '../../support/faults/fault-proxy.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { startPair } from '../../support/postgres/pg-pair.ts'
import { guest, NOW, openTestStorage, raw, refreshOf, rotation, signInUser } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { pgBouncer, startPgBouncer } from '../../support/proxies/pgbouncer.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

test('a transaction and a refresh that a pooler leads to a former primary change nothing there, and succeed at its successor', {
  skip: sqliteOnly || (typeof pgBouncer === 'string' && pgBouncer),
}, async (t) => {
  const pair = await startPair({ synchronous: false })
  t.after(() => pair.stop())
  const { primary: former, standby: successor } = pair
  // As haproxy does: open connections stay at the former primary, and new ones reach its successor.
  const proxy = await faultProxy(t, former.url)
  const settings = ['pool_mode=transaction', 'max_prepared_statements=500', 'default_pool_size=4']
  const pooler = await startPgBouncer(t, proxy.url, settings)
  const [url, hosts] = [pooler.urlOf(former.url), [former, successor].map((each) => new URL(each.url).host)]
  const database = { engine: 'postgres', url, directUrl: `postgres://postgres@${hosts.join()}/postgres` } as const
  const { stores, profile, warnings } = await openTestStorage(t, 'postgres', { database })
  await stores.tenants.create(guest('one-two', profile), [])
  const { resource, session } = await signInUser(stores, 'one-two')
  const refresh = await refreshOf(stores, resource, rotation(session, NOW + 1))
  const spend = () => stores.transaction((open) => open.counters.spend(storedUsers, 1, null))
  const before = (await spend()) ?? 0
  await pair.lag()
  await pair.promote()
  proxy.leadTo(successor.url)
  await waitUntil('it knows the successor', () => warnings.some((text) => text.includes('continues on timeline 2')))

  /** While its connections to the former primary are in use, PgBouncer opens one to the successor. It prefers the one that was used last. */
  const atFormer = async (write: () => Promise<unknown>): Promise<void> => {
    const holders: Client[] = []
    const hold = async (): Promise<void> => {
      const holder = new Client(url)
      holders.unshift(holder)
      await holder.connect()
      await holder.query('begin')
    }
    do await hold()
    while (!(await spend().catch(() => null)))
    for (const holder of holders) await holder.query('rollback')
    await assert.rejects(write(), Unavailable)
    for (const holder of holders) await holder.end()
  }
  await atFormer(() => stores.refresh(refresh))
  await atFormer(spend)
  const stateAt = (at: string) =>
    raw(
      { engine: 'postgres', url: at },
      `select used::int, generation from counters, sessions where scope = '${storedUsers.scope}' and bucket = 'users'`,
    )
  assert.deepEqual(await stateAt(former.url), [{ used: before, generation: session.generation }])
  assert.deepEqual(await stateAt(successor.url), [{ used: before + 2, generation: session.generation }])
  proxy.dropConnections()
  await waitUntil('the pooler has left the former primary', () => spend().then(Boolean, () => false))
  assert.equal((await stores.refresh(refresh)).outcome, 'refreshed')
})
