import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { loginStarted } from '../../src/domain/events/auth-event.ts'
import type { Counter } from '../../src/domain/limits/counter.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import {
  appendEvent,
  freshDatabase,
  googleProfile,
  guest,
  NOW,
  newSession,
  openTestStorage,
  raw,
  signInUser,
} from '../support/postgres/storage.ts'

const storedUsers: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }
const started = loginStarted(
  { redirectUri: 'https://app.example.com/cb', returnTo: null, provider: 'google' },
  NOW,
)

class Thrown extends Error {}

for (const engine of ENGINES) {
  test(`[${engine}] a transaction that throws writes and publishes nothing`, async (t) => {
    const { stores, profile, published } = await openTestStorage(t, engine)
    const { resource, userId, session } = await signInUser(stores)
    await stores.tenants.create(guest('one-two', profile), [])

    await assert.rejects(
      stores.transaction(async (open) => {
        await open.counters.spend(storedUsers, 1, null)
        await appendEvent(open, resource, started)
        await open.sessions.end(resource, session.id, NOW + 1)
        await open.users.update(resource, userId, googleProfile('eve'), NOW + 1)
        await open.tenants.pause('one-two', 'stored_users', NOW + 1)
        await open.resources.markDeleted(resource.tenantId, NOW + 1)
        throw new Thrown()
      }),
      Thrown,
    )
    assert.deepEqual(published, [])
    assert.equal(await stores.counters.remove(storedUsers), 0)
    assert.deepEqual(await stores.events.page(resource, { after: 0, limit: 10 }), [])
    assert.deepEqual(await stores.sessions.find(resource, session.id), session)
    assert.equal((await stores.users.find(resource, userId))?.email, 'ada@example.com')
    assert.equal((await stores.tenants.find('one-two'))?.pausedAt, null)
  })

  test(`[${engine}] a transaction publishes its events once, before its promise resolves`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const result = await stores.transaction(async (open) => {
      await appendEvent(open, resource, started)
      await appendEvent(open, resource, started)
      const ended = await open.sessions.end(resource, session.id, NOW + 1)
      assert.deepEqual(published, [], 'nothing before the commit')
      return ended?.id
    })
    assert.equal(result, session.id)
    assert.equal(published.length, 1)
    assert.deepEqual(published[0]?.changedTenants, [resource.tenantId])
    assert.deepEqual(
      published[0]?.revocations.map(({ kind }) => kind),
      ['session'],
    )
  })

  test(`[${engine}] a read outside an open transaction sees the last commit and does not wait`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores)
    await stores.transaction(async (open) => {
      await open.users.update(resource, userId, googleProfile('eve'), NOW + 1)
      assert.equal((await open.users.find(resource, userId))?.email, 'eve@example.com')
      assert.equal((await stores.users.find(resource, userId))?.email, 'ada@example.com')
    })
    assert.equal((await stores.users.find(resource, userId))?.email, 'eve@example.com')
  })

  test(`[${engine}] a write outside the current transaction fails instead of deadlocking`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const tries: (() => Promise<unknown>)[] = [
      () => stores.counters.spend(storedUsers, 1, null),
      () => stores.sessions.end(resource, session.id, NOW),
      () => stores.transaction(async () => {}),
    ]
    for (const write of tries) {
      await assert.rejects(stores.transaction(write), /write with the stores that it receives/)
    }
    assert.equal(await stores.counters.spend(storedUsers, 1, null), 1)
  })

  test(`[${engine}] concurrent first logins of one user create one user, and all succeed`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const resource = await stores.resources.provision('one-two', [], NOW)
    // On SQLite one transaction runs at a time.
    const concurrent = engine === 'postgres' ? 3 : 1
    const allRead = Promise.withResolvers<void>()
    let reads = 0
    const signIn = () =>
      stores.transaction(async (open) => {
        const { issuer, subject } = googleProfile('ada')
        const known = await open.users.findBySubject(resource, issuer, subject)
        reads += 1
        if (reads === concurrent) {
          allRead.resolve()
        }
        await allRead.promise
        const user = known ?? (await open.users.insert(resource, googleProfile('ada'), NOW))
        return open.sessions.start(resource, newSession(user.id))
      })
    const sessions = await Promise.all([signIn(), signIn(), signIn()])
    assert.equal(new Set(sessions.map(({ userId }) => userId)).size, 1)
    assert.equal((await stores.users.page(resource, { after: 0, limit: 10 })).length, 1)
  })
}

test('[postgres] of two transactions that deadlock, one is retried and both succeed', async (t) => {
  const database = await freshDatabase(t, 'postgres')
  assert.ok(database.engine === 'postgres')
  // PostgreSQL looks for a deadlock after this time.
  await raw(
    database,
    `alter database ${new URL(database.url).pathname.slice(1)} set deadlock_timeout = '10ms'`,
  )
  const { stores, published } = await openTestStorage(t, 'postgres', { database })
  const { resource } = await signInUser(stores)
  let runs = 0
  let locked = 0
  const met = Promise.withResolvers<void>()
  const cross = (first: Counter, second: Counter) =>
    stores.transaction(async (open) => {
      runs += 1
      await open.counters.spend(first, 1, null)
      await open.events.append(resource, 100 + runs, started)
      locked += 1
      if (locked === 2) {
        met.resolve()
      }
      await met.promise
      await open.counters.spend(second, 1, null)
    })
  const projects: Counter = { ...storedUsers, window: 'projects' }
  await Promise.all([cross(storedUsers, projects), cross(projects, storedUsers)])
  assert.equal(runs, 3)
  assert.deepEqual(
    [await stores.counters.remove(storedUsers), await stores.counters.remove(projects)],
    [2, 2],
  )
  assert.equal((await stores.events.page(resource, { after: 0, limit: 10 })).length, 2)
  assert.equal(published.length, 2, 'the run that was rolled back published nothing')
})

test('[postgres] a repeated conflict is Unavailable after three tries', async (t) => {
  const { stores } = await openTestStorage(t, 'postgres')
  const { Conflict } = await import('../../src/storage/database-errors.ts')
  let runs = 0
  const endless = stores.transaction(async () => {
    runs += 1
    throw new Conflict('again')
  })
  await assert.rejects(endless, Unavailable)
  assert.equal(runs, 3)
})
