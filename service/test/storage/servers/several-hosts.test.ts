import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { connectToPostgres } from '../../../src/storage/postgres/open.ts'
import { TIMING } from '../../../src/storage/timing.ts'
import { hangingAddress } from '../../support/faults/hanging-address.ts'
import { freshPostgres, sqliteOnly } from '../../support/postgres/engines.ts'
import { type PgPair, startPair } from '../../support/postgres/pg-pair.ts'
import {
  guest,
  NOW,
  openTestStorage,
  raw,
  signInUser,
  vacuumsOf,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { freePort } from '../../support/transport/free-port.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

/** The URL of the last one, with the hosts of all of them. */
function listOf(...urls: readonly string[]): { engine: 'postgres'; url: string } {
  const list = urls.map((url) => new URL(url).host).join(',')
  const last = new URL(urls.at(-1) ?? '')
  return { engine: 'postgres', url: `postgres://postgres:geheim@${list}${last.pathname}` }
}

describe('several hosts in DATABASE_URL', { skip: sqliteOnly }, () => {
  let pair: PgPair
  before(async () => {
    pair = await startPair({ synchronous: true })
  })
  after(() => pair.stop())

  test('a host that refuses connections is passed over at the start', async (t) => {
    const url = await freshPostgres()
    const database = listOf(`postgres://127.0.0.1:${await freePort()}/`, url)
    const { stores, storage } = await openTestStorage(t, 'postgres', { database })
    await storage.follow()
    assert.equal(await stores.counters.spend(storedUsers, 1, null), 1)
    await stores.eraseDeleted()
    await waitUntil(
      'it is vacuumed',
      async () => (await vacuumsOf({ engine: 'postgres', url }, 'users')) === 1,
    )
  })

  test('a host that never answers is passed over at the start', async (t) => {
    const { origin } = await hangingAddress(t)
    const database = listOf(origin, await freshPostgres())
    const { stores, storage } = await openTestStorage(t, 'postgres', {
      database,
      timing: { connectMs: TIMING.connectMs },
    })
    await storage.follow()
    assert.equal(await stores.counters.spend(storedUsers, 1, null), 1)
  })

  test('if no host is usable, the error says why for each, without the password', async (t) => {
    const refused = `127.0.0.1:${await freePort()}`
    const database = listOf(`postgres://${refused}/`, pair.standby.url)
    await assert.rejects(openTestStorage(t, 'postgres', { database }), (error: Error) => {
      assert.ok(error instanceof Unavailable)
      const standby = new URL(pair.standby.url).host
      assert.ok(error.message.includes(`${refused}: connect ECONNREFUSED`), error.message)
      assert.ok(
        error.message.includes(`${standby}: this PostgreSQL server is a standby`),
        error.message,
      )
      assert.doesNotMatch(JSON.stringify([error.message, error.stack]), /geheim/)
      return true
    })
  })

  test('a standby in front of the primary is passed over, and a failover needs no restart', async (t) => {
    const [first, second] = [pair.standby, pair.primary]
    const database = listOf(first.url, second.url)
    const one = await openTestStorage(t, 'postgres', { database })
    await one.storage.follow()
    const two = await openTestStorage(t, 'postgres', { database })
    await two.storage.follow()
    assert.equal(await one.stores.counters.spend(storedUsers, 1, null), 1)
    await one.stores.tenants.create(guest('one-two', one.profile), [])
    const { resource, session } = await signInUser(one.stores, 'one-two')

    await pair.kill()
    await assert.rejects(one.stores.counters.spend(storedUsers, 1, null), Unavailable)
    await assert.rejects(one.stores.ping(), Unavailable)
    await pair.promote()
    assert.equal(
      await one.stores.counters.spend(storedUsers, 1, null),
      2,
      'nothing lost, and nothing spent by the failure',
    )
    await waitUntil(
      'both follow the new primary',
      () => one.storage.staleForMs() + two.storage.staleForMs() === 0,
    )
    await one.stores.sessions.end(resource, session.id, NOW)
    await waitUntil('revocations reach the other instance', () =>
      two.revocations().some(({ kind }) => kind === 'session'),
    )
    const moved = one.warnings.filter((text) => text.includes("PostgreSQL's primary is now"))
    assert.deepEqual(moved, [
      `PostgreSQL's primary is now ${new URL(first.url).host}; before, it was ${new URL(second.url).host}`,
    ])
    assert.deepEqual(
      await raw({ engine: 'postgres', url: first.url }, 'select used from counters where used = 2'),
      [{ used: '2' }],
    )
  })

  test('a command of the operator changes the successor, not a former primary that accepts writes again', async (t) => {
    const replaced = await startPair({ synchronous: false })
    t.after(() => replaced.stop())
    const { close } = await openTestStorage(t, 'postgres', {
      database: listOf(replaced.primary.url),
    })
    await close()
    await replaced.lag()
    await replaced.kill()
    await replaced.promote()
    await replaced.revive()
    const { standby: former, primary: successor } = replaced
    const database = listOf(former.url, successor.url)
    const command = await connectToPostgres(database, () => {}, 'a command')
    await command.query('create table made_by_a_command ()')
    await command.end()
    const hasTable = async (url: string) =>
      (await raw({ engine: 'postgres', url }, "select to_regclass('made_by_a_command') as name"))[0]
    assert.deepEqual(
      [await hasTable(former.url), await hasTable(successor.url)],
      [{ name: null }, { name: 'made_by_a_command' }],
    )
  })
})
