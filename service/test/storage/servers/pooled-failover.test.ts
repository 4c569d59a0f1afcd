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

const POOL_SIZE = 4
const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

test('a transaction and a refresh that a pooler leads to a former primary change nothing there, and succeed at its successor', {
  skip: sqliteOnly || (typeof pgBouncer === 'string' && pgBouncer),
}, async (t) => {
  const pair = await startPair({ synchronous: false })
  t.after(() => pair.stop())
  const { primary: former, standby: successor } = pair
  // As haproxy does: open connections stay at the former primary, and new ones reach its successor.
  const proxy = await faultProxy(t, former.url)
  const settings = ['pool_mode=transaction', 'max_prepared_statements=500', `default_pool_size=${POOL_SIZE}`]
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

  const portOf = async (client: Client): Promise<string> =>
    (await client.query('select inet_server_port()::text as port')).rows[0].port
  /** Holds all connections of the pooler but one: first one to the successor, by which the service connects, then one to the former primary. */
  const atFormer = async (write: () => Promise<unknown>): Promise<void> => {
    const holders: { readonly client: Client; readonly port: string }[] = []
    const holderAt = ({ url: at }: typeof former): Client => {
      const found = holders.find(({ port }) => port === new URL(at).port)
      assert.ok(found, `the pooler has a connection to ${at === former.url ? 'the former primary' : 'its successor'}`)
      return found.client
    }
    try {
      while (holders.length < POOL_SIZE) {
        const client = new Client(url)
        await client.connect()
        await client.query('begin')
        holders.push({ client, port: await portOf(client) })
      }
      await holderAt(successor).query('rollback')
      await waitUntil('the service is connected', () => spend().then(Boolean, () => false))
      await holderAt(successor).query('begin')
      await holderAt(former).query('rollback')
      await assert.rejects(write(), Unavailable)
    } finally {
      for (const { client } of holders) await client.end()
    }
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
