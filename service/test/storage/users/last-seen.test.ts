import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { chargesFor } from '../../../src/domain/limits/allowance.ts'
import { ALL_GENERATIONS } from '../../../src/domain/revocation/revocation.ts'
import { REFRESH_TOKEN_MS, type Session } from '../../../src/domain/sessions/session.ts'
import { ENGINES, type Engine, sqliteOnly } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
  type TestStorage,
} from '../../support/postgres/storage.ts'

const EARLIER = NOW + HOUR_MS
const LATER = NOW + 2 * HOUR_MS
/** When sessions of both times have expired. */
const EXPIRED = LATER + REFRESH_TOKEN_MS

/** Ada has two sessions, refreshed at two times; Grace one that was not refreshed. */
async function scene(t: TestContext, engine: Engine) {
  const here = await openTestStorage(t, engine)
  const { stores, database } = here
  const { resource, userId, session: first } = await signInUser(stores)
  const second = await stores.sessions.start(resource, newSession(userId))
  const grace = await stores.users.insert(resource, googleProfile('grace'), NOW)
  await stores.sessions.start(resource, newSession(grace.id))
  const refresh = async (session: Session, at: number) =>
    (await refreshSession(stores, resource, rotation(session, at))) ??
    assert.fail('the refresh was rejected')
  const shown = async () =>
    (await stores.users.page(resource, { after: 0, limit: 10 })).map(({ lastSeen }) => lastSeen)
  const stored = async () =>
    (await raw(database, 'select last_seen from users order by id')).map(({ last_seen }) =>
      Number(last_seen),
    )
  return { ...here, resource, userId, first, second, refresh, shown, stored }
}

type Ended = Awaited<ReturnType<typeof scene>>
type End = (at: Ended & Pick<TestStorage, 'storage'>) => Promise<unknown>

/** Each ends every session of Ada. */
const ENDS: Readonly<Record<string, End>> = {
  'a logout': async ({ stores, resource, first, second }) => {
    await stores.sessions.end(resource, first.id, LATER)
    await stores.sessions.end(resource, second.id, LATER)
  },
  'the end of all sessions of a user': ({ stores, resource, userId }) =>
    stores.sessions.endOfUser(resource, userId, LATER, 10),
  'the end of the oldest sessions of a tenant': ({ stores, resource }) =>
    stores.sessions.endOldest(resource, LATER, 10),
  'the sweep of expired sessions': async ({ stores }) => {
    assert.equal(await stores.sessions.sweep(NOW + REFRESH_TOKEN_MS, 10), 3, 'two are in use')
    assert.equal(await stores.sessions.sweep(EXPIRED, 10), 2)
  },
  'the sweep of one session at a time': async ({ stores }) => {
    for (let step = 0; step < 3; step++) {
      assert.equal(await stores.sessions.sweep(EXPIRED, 1), 1)
    }
  },
  'a sign-out that is written back after a failover': ({ stores, first, second }) =>
    stores.writeBack(
      [first, second].map(({ id: sessionId }) => ({
        kind: 'session' as const,
        sessionId,
        generation: ALL_GENERATIONS,
        until: LATER + HOUR_MS,
      })),
      LATER,
    ),
  'signing everyone out after a restore': ({ storage }) =>
    storage.restored({ skipIds: 1, signOut: true }),
}

for (const engine of ENGINES) {
  test(`[${engine}] a refresh moves last_seen in lists, records and /me, and does not write the user's row`, async (t) => {
    const { stores, resource, userId, first, second, refresh, shown, stored } = await scene(
      t,
      engine,
    )
    await refresh(first, LATER)
    await refresh(second, EARLIER)
    assert.deepEqual(await shown(), [LATER, NOW])
    assert.equal((await stores.users.findRecord(resource, userId))?.lastSeen, LATER)
    const page = { after: 0, limit: 10 }
    assert.deepEqual(
      (await stores.users.records(resource, page)).map(({ lastSeen }) => lastSeen),
      [LATER, NOW],
    )
    for (const query of [{ prefix: 'ada' }, { email: 'ada@example.com' }, { newestFirst: true }]) {
      assert.equal(
        (await stores.users.page(resource, { ...page, ...query })).find(({ id }) => id === userId)
          ?.lastSeen,
        LATER,
      )
    }
    assert.deepEqual(await stored(), [NOW, NOW])
  })

  test(`[${engine}] /me lists the apps of a person by the last sign-in or refresh`, async (t) => {
    const { stores, first, refresh } = await scene(t, engine)
    for (const [at, tenantId] of ['one-two', 'three-four'].entries()) {
      const resource = await stores.resources.provision(tenantId, [], NOW)
      await stores.users.insert(resource, googleProfile('ada'), NOW + at + 1)
    }
    const { issuer, subject } = googleProfile('ada')
    const apps = async (offset: number) =>
      (await stores.people.users({ issuer, subject }, { offset, limit: 2 })).map(
        ({ tenantId, user }) => [tenantId, user.lastSeen],
      )
    assert.deepEqual(await apps(0), [
      ['three-four', NOW + 2],
      ['one-two', NOW + 1],
    ])
    await refresh(first, LATER)
    assert.deepEqual(await apps(0), [
      ['swift-fox-running-k3qd', LATER],
      ['three-four', NOW + 2],
    ])
    assert.deepEqual(await apps(2), [['one-two', NOW + 1]])
  })

  for (const [name, end] of Object.entries(ENDS)) {
    for (const order of ['older', 'newer'] as const) {
      test(`[${engine}] after ${name}, last_seen is the latest refresh, of the ${order} session`, async (t) => {
        const here = await scene(t, engine)
        const { stores, resource, userId, first, second, refresh, shown, stored } = here
        await refresh(first, order === 'older' ? LATER : EARLIER)
        await refresh(second, order === 'older' ? EARLIER : LATER)
        await end(here)
        assert.deepEqual(
          await stores.sessions.ofUser(resource, userId, NOW, { after: 0, limit: 10 }),
          [],
        )
        assert.deepEqual(await shown(), [LATER, NOW])
        assert.deepEqual(await stored(), [LATER, NOW])
      })
    }
  }

  test(`[${engine}] the end of a session does not move last_seen behind a later sign-in`, async (t) => {
    const { stores, resource, userId, first, refresh, shown, stored } = await scene(t, engine)
    await refresh(first, EARLIER)
    await stores.users.update(resource, userId, googleProfile('ada'), LATER)
    await stores.sessions.end(resource, first.id, LATER)
    assert.deepEqual(await shown(), [LATER, NOW])
    assert.deepEqual(await stored(), [LATER, NOW])
  })

  test(`[${engine}] the end of a session changes no user with the same id in another tenant`, async (t) => {
    const { stores, resource, first, refresh } = await scene(t, engine)
    const other = await stores.resources.provision('one-two', [], NOW)
    const { id } = await stores.users.insert(other, googleProfile('ada'), NOW)
    assert.equal(id, first.userId)
    await refresh(first, LATER)
    await stores.sessions.end(resource, first.id, LATER)
    assert.equal((await stores.users.findRecord(other, id))?.lastSeen, NOW)
  })

  test(`[${engine}] a rolled back end of a session leaves last_seen and the session as they were`, async (t) => {
    const { stores, resource, first, refresh, shown, stored } = await scene(t, engine)
    await refresh(first, LATER)
    const failing = stores.transaction(async (open) => {
      await open.sessions.end(resource, first.id, LATER)
      throw new RangeError('rolls back')
    })
    await assert.rejects(failing, RangeError)
    assert.ok((await stores.sessions.find(resource, first.id)) !== null)
    assert.deepEqual(
      [await shown(), await stored()],
      [
        [LATER, NOW],
        [NOW, NOW],
      ],
    )
  })
}

test('a sign-in and a logout of the same user do not wait for each other on PostgreSQL', {
  skip: sqliteOnly,
}, async (t) => {
  const { stores, resource, userId, first, refresh, shown } = await scene(t, 'postgres')
  await refresh(first, EARLIER)
  const charges = chargesFor(guest(resource.tenantId, 'v1-2'), 'logout', LATER)
  const [counted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tries = { signIn: 0, logout: 0 }
  await Promise.all([
    stores.transaction(async (open) => {
      tries.signIn += 1
      await open.eventCounts.add(charges)
      counted.resolve()
      await ended.promise
      await open.users.update(resource, userId, googleProfile('ada'), LATER)
    }),
    stores.transaction(async (open) => {
      tries.logout += 1
      await counted.promise
      await open.sessions.end(resource, first.id, LATER)
      ended.resolve()
      await open.eventCounts.add(charges)
    }),
  ])
  assert.deepEqual(tries, { signIn: 1, logout: 1 }, 'PostgreSQL ended no deadlock')
  assert.deepEqual(await shown(), [LATER, NOW])
})
