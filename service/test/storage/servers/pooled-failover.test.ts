import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { Unavailable } from '../../../src/domain/api-error.ts'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { faultProxy } from '../../support/faults/fault-proxy.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { startPair } from '../../support/postgres/pg-pair.ts'
import {
  guest,
  NOW,
  openTestStorage,
  raw,
  refreshOf,
  rotation,
  signInUser,
} from '../../support/postgres/storage.ts'
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
  const settings = [
    'pool_mode=transaction',
    'max_prepared_statements=500',
    `default_pool_size=${POOL_SIZE}`,
  ]
  const pooler = await startPgBouncer(t, proxy.url, settings)
  const [url, hosts] = [
    pooler.urlOf(former.url),
    [former, successor].map((each) => new URL(each.url).host),
  ]
  const database = {
    engine: 'postgres',
    url,
    directUrl: `postgres://postgres@${hosts.join()}/postgres`,
  } as const
  const { stores, profile, warnings } = await openTestStorage(t, 'postgres', { database })
  await stores.tenants.create(guest('one-two', profile), [])
  const { resource, session } = await signInUser(stores, 'one-two')
  const refresh = await refreshOf(stores, resource, rotation(session, NOW + 1))
  const spend = () => stores.transaction((open) => open.counters.spend(storedUsers, 1, null))
  const before = (await spend()) ?? 0
  /** Holds a connection of the pooler. If it ends, the pooler closes the connection, because its transaction is open. */
  const hold = async (): Promise<Client> => {
    const client = new Client(url)
    await client.connect()
    t.after(() => client.end())
    await client.query('begin')
    return client
  }
  const heldAtFormer = [await hold(), await hold()]
  await pair.lag()
  await pair.promote()
  proxy.leadTo(successor.url)
  await waitUntil('it knows the successor', () =>
    warnings.some((text) => text.includes('continues on timeline 2')),
  )

  const isAt = async (client: Client, { url: at }: typeof former): Promise<boolean> =>
    (await client.query('select inet_server_port()::text as port')).rows[0].port ===
    new URL(at).port
  /** Leaves the service one connection: first one to the successor, by which it connects, then one to the former primary. */
  const atFormer = async (write: () => Promise<unknown>): Promise<void> => {
    const held = heldAtFormer.pop() ?? assert.fail()
    assert.ok(await isAt(held, former))
    const others: Client[] = []
    while (others.length + heldAtFormer.length + 1 < POOL_SIZE) {
      const client = await hold()
      if (await isAt(client, successor)) {
        others.push(client)
      } else {
        await client.end()
      }
    }
    const [other = assert.fail()] = others
    await other.query('rollback')
    await waitUntil('the service is connected', () => spend().then(Boolean, () => false))
    await other.query('begin')
    await held.query('rollback')
    await assert.rejects(write(), Unavailable)
    for (const client of [held, ...others]) {
      await client.end()
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
  assert.deepEqual(await stateAt(successor.url), [
    { used: before + 2, generation: session.generation },
  ])
  proxy.dropConnections()
  await waitUntil('the pooler has left the former primary', () =>
    spend().then(Boolean, () => false),
  )
  assert.equal((await stores.refresh(refresh)).outcome, 'refreshed')
})
