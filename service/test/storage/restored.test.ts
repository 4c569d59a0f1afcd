import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { ALL_GENERATIONS } from '../../src/domain/revocation/revocation.ts'
import { callOperatorCommand } from '../support/actors/operator-command.ts'
import { ENGINES, freshFolder, freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { grantOf } from '../support/postgres/oauth-rows.ts'
import {
  appendEvent,
  googleProfile,
  guest,
  NOW,
  newEvent,
  newSession,
  openTestStorage,
  raw,
  signInUser,
} from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'

// process/restore.test.ts tests the whole procedure, from a backup on.

for (const engine of ENGINES) {
  test(`[${engine}] after a restore every table skips the given number of ids, and users, events and actions continue above one floor`, async (t) => {
    const { storage, stores, profile } = await openTestStorage(t, engine)
    for (const id of ['swift-fox-running-k3qd', 'one-two']) {
      await stores.tenants.create(guest(id, profile), [])
    }
    const { resource, userId, session } = await signInUser(stores)
    assert.deepEqual([userId, session.id], [1, 1])
    assert.deepEqual(await storage.restored({ skipIds: 5_000, signOut: false }), {
      users: 0,
      owners: 0,
      agents: 0,
    })

    const { id } = await stores.users.insert(resource, googleProfile('grace'), NOW)
    const another = await stores.sessions.start(resource, newSession(id))
    assert.deepEqual([id, another.id], [15_001, 5_002])
    assert.equal(await appendEvent(stores, resource, newEvent('logout')), 15_001)
    const actions = { scope: `tenant:${resource.tenantId}`, window: 'audit-ids', start: 0 } as const
    assert.equal(await stores.counters.nextId(actions), 15_001)
    const empty = await stores.resources.provision('one-two', [], NOW)
    assert.equal(
      (await stores.users.insert(empty, googleProfile('grace'), NOW)).id,
      15_001,
      'its users may be lost',
    )
    assert.ok((await stores.sessions.find(resource, session.id)) !== null, 'no session was ended')
    const account = await stores.accounts.signIn(googleProfile('owner'), NOW)
    assert.equal(account.id, 5_001, 'the table was empty')
  })

  test(`[${engine}] after a restore the ids of users and events continue above the last event id of every tenant`, async (t) => {
    const { storage, stores, database } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const busy = await stores.resources.provision('one-two', [], NOW)
    assert.equal(await appendEvent(stores, busy, newEvent('logout')), 1)
    await raw(database, 'update event_counts set last_event_id = 2999000')
    await storage.restored({ skipIds: 5_000, signOut: false })
    assert.equal(await appendEvent(stores, busy, newEvent('logout')), 3_005_001)
    assert.equal(
      await appendEvent(stores, resource, newEvent('logout')),
      3_005_001,
      'the floor is one for all tenants',
    )
    assert.equal((await stores.users.insert(resource, googleProfile('grace'), NOW)).id, 3_005_001)
  })

  test(`[${engine}] signing everyone out ends all sessions and grants, and revokes access tokens for an hour`, async (t) => {
    const { storage, stores, database } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const account = await stores.accounts.signIn(googleProfile('owner'), NOW)
    await stores.accountSessions.add({
      hash: 'cookie',
      accountId: account.id,
      device: null,
      createdAt: NOW,
      expiresAt: NOW + 60_000,
    })
    const grantId = await stores.oauthGrants.add(
      grantOf({ kind: 'account', accountId: account.id }),
    )
    await stores.oauthTokens.issue(
      grantId,
      { hash: 'access', scopes: ['mcp:tenant:read'], expiresAt: NOW + 50 },
      { hash: 'refresh', expiresAt: NOW + 60 },
    )

    assert.deepEqual(await storage.restored({ skipIds: 1, signOut: true }), {
      users: 1,
      owners: 1,
      agents: 1,
    })
    assert.equal(await stores.sessions.find(resource, session.id), null)
    for (const table of [
      'account_sessions',
      'oauth_grants',
      'oauth_access_tokens',
      'oauth_refresh_tokens',
    ]) {
      assert.deepEqual(await raw(database, `select * from ${table}`), [], table)
    }
    assert.ok((await stores.accounts.find(account.id)) !== null, 'the account stays')

    const after = await openTestStorage(t, engine, { database })
    await after.storage.follow()
    const [lost, revocation, ...more] = after.revocations()
    assert.ok(lost?.kind === 'sessions-lost' && revocation?.kind === 'session' && more.length === 0)
    assert.deepEqual(
      [lost.first, lost.last],
      [session.id + 1, session.id + 1],
      'the sessions since the backup',
    )
    assert.deepEqual([revocation.sessionId, revocation.generation], [session.id, ALL_GENERATIONS])
    assert.ok(revocation.until >= NOW + 3_600_000)
  })
}

/** Lets the statement that ends the sessions of this database take this long, as in a large one, and resolves when it did. */
async function delayed<T>(
  t: TestContext,
  url: string,
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const busy = new Client(url)
  await busy.connect()
  t.after(() => busy.end())
  await busy.query('begin; lock table sessions in share mode')
  const working = work()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and now() - query_start > interval '${ms} ms'`
  const waited = waitUntil(
    'it waits',
    async () => (await raw({ engine: 'postgres', url }, waiting)).length > 0,
  )
  await Promise.race([working, waited])
  await busy.query('commit')
  return working
}

test('sessions end on PostgreSQL however long that takes, also behind a pooler, whose role has a limit', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const database = { engine: 'postgres', url: await freshPostgres() } as const
  const { storage, stores } = await openTestStorage(t, 'postgres', {
    database,
    timing: { statementMs: 1_000 },
  })
  await signInUser(stores)
  const ended = await delayed(t, database.url, 1_200, () =>
    storage.restored({ skipIds: 1, signOut: true }),
  )
  assert.deepEqual(ended, { users: 1, owners: 0, agents: 0 })
})

test('the command restored --sign-out takes longer than a request may', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const DATABASE_URL = await freshPostgres()
  const settings = { DATA_DIR: await freshFolder(), DATABASE_URL }
  const { status, stderr } = await delayed(t, DATABASE_URL, 7_200, () =>
    callOperatorCommand(settings, 'restored', '--sign-out'),
  )
  assert.deepEqual([status, stderr], [0, ''])
})
