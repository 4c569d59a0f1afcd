import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { signInToAccount } from '../../support/actors/account.ts'
import { claim } from '../../support/actors/claim.ts'
import { freshFolder, PATIENT_TIMING, sqliteOnly } from '../../support/postgres/engines.ts'
import { type PgPair, startPair } from '../../support/postgres/pg-pair.ts'
import { googleProfile, NOW, openTestStorage, signInUser } from '../../support/postgres/storage.ts'
import { HANG_TIMEOUT_MS, waitUntil } from '../../support/process/wait-until.ts'
import { world } from '../../support/world.ts'

/** A replica may be this far behind: none is too far, or each that lacks what was written a moment ago. */
const ANY = { replicaLagMs: 2 * HANG_TIMEOUT_MS, replicaPollMs: 10 }
const LITTLE = { replicaLagMs: 1_000, replicaPollMs: 10 }

describe('DATABASE_URL_REPLICA', { skip: sqliteOnly }, () => {
  let pair: PgPair
  before(async () => {
    pair = await startPair({ synchronous: false })
  })
  after(() => pair.stop())

  const opened = (t: TestContext, timing: object, replicaUrl = pair.standby.url) =>
    openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: pair.primary.url, replicaUrl },
      timing,
    })

  test('lists are read from a standby that is not too far behind, otherwise from the primary', async (t) => {
    const patient = await opened(t, ANY)
    const strict = await opened(t, LITTLE)
    const { stores, storage } = patient
    const { resource } = await signInUser(stores)
    const listed = () => storage.listing.users.count(resource)
    await waitUntil(
      'the standby is used',
      async () => (await listed()) === 1 && storage.isReplicaUsed() === true,
    )

    await pair.lag()
    await stores.users.insert(resource, googleProfile('eve'), NOW)
    assert.equal(await stores.users.count(resource), 2)
    await waitUntil('the list is that of the standby', async () => (await listed()) === 1)
    assert.equal((await storage.listing.users.page(resource, { after: 0, limit: 9 })).length, 1)
    assert.equal((await storage.listing.events.newest(resource, { limit: 9 })).length, 0)
    assert.equal(
      await storage.listing.transaction(({ users }) => users.count(resource)),
      2,
      'never in a transaction',
    )
    await waitUntil('a standby that is too far behind is not used', async () => {
      await strict.storage.listing.users.count(resource)
      return strict.warnings.some((text) => text.endsWith('it is too far behind the primary'))
    })
    assert.equal(await strict.storage.listing.users.count(resource), 2)
    assert.equal(strict.storage.isReplicaUsed(), false)

    await pair.standby.stop()
    assert.equal(await listed(), 2, 'it is gone')
    assert.equal(storage.isReplicaUsed(), false)
    await pair.rejoin()
    await waitUntil(
      'it is used again',
      async () => (await listed()) === 2 && storage.isReplicaUsed() === true,
    )
  })

  test('a server of another system, or one that is no standby, is never read', async (t) => {
    const { stores } = await opened(t, ANY)
    const { resource } = await signInUser(stores, 'quiet-owl-resting-p2xm')
    const other = await startPair({ synchronous: false })
    t.after(() => other.stop())
    await openTestStorage(t, 'postgres', {
      database: { engine: 'postgres', url: other.primary.url },
    })
    for (const [url, problem] of [
      [pair.primary.url, 'it is not a standby'],
      [other.standby.url, 'it is a standby of another database'],
    ] as const) {
      const { storage, warnings } = await opened(t, ANY, url)
      await waitUntil(problem, async () => {
        assert.equal(await storage.listing.users.count(resource), 1)
        return warnings.some((text) => text.endsWith(problem))
      })
      assert.equal(storage.isReplicaUsed(), false)
    }
  })

  test('the console lists users from the replica, and after a form from the primary', async (t) => {
    const env = {
      DATABASE_URL: pair.primary.url,
      DATABASE_URL_REPLICA: pair.standby.url,
      DATA_DIR: await freshFolder(),
    }
    const service = await world(t, {
      engine: 'postgres',
      env,
      timing: { ...PATIENT_TIMING, ...ANY },
    })
    const { agent, app, baseUrl, browser } = service
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    await tenant.signIn(browser(), 'Ada Lovelace')
    const reader = await signInToAccount(baseUrl, browser())
    const users = async (): Promise<string> => {
      await reader.open(`${baseUrl}/account/projects/${tenant.id}/users`)
      return reader.page.text
    }
    await waitUntil(
      'the standby is used',
      async () => (await users()).includes('Ada') && app.storage.isReplicaUsed() === true,
    )
    await pair.lag()
    await tenant.signIn(browser(), 'Grace Hopper')
    await waitUntil(
      'the list is that of the standby',
      async () => !(await users()).includes('Grace'),
    )
    assert.match((await agent.call('GET', '/metrics')).text, /^gatehouse_replica_used 1$/m)
    assert.match(
      (await tenant.manage('GET', '/api/social-login/users')).text,
      /Grace/,
      'the API reads its own writes',
    )
    await reader.follow('ada@example.com')
    await reader.press('Block')
    assert.match(await users(), /Grace/, 'this browser reads from the primary for some seconds')
  })
})
