import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { UserStore } from '../../../src/domain/stores/stores.ts'
import type { Access } from '../../../src/storage/access.ts'
import { openPostgres } from '../../../src/storage/postgres/open.ts'
import { openSqlite } from '../../../src/storage/sqlite/open.ts'
import { TIMING } from '../../../src/storage/timing.ts'
import { userStore } from '../../../src/storage/users/users.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  NOW,
  openTestStorage,
  signInUser,
  TEST_TIMING,
  type TestStorage,
} from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

for (const engine of ENGINES) {
  // proves C326, S109
  test(`[${engine}] of an added identity and a concurrent new user with it, one is stored`, {
    skip: slow,
  }, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores, 'one-two')
    for (let round = 0; round < 20; round++) {
      const profile = googleProfile(`person-${round}`)
      const add = () =>
        stores.transaction(({ identities }) =>
          identities.add(resource, userId, { ...profile, lastSeen: NOW }),
        )
      const signIn = () =>
        stores.transaction(async ({ users }) => {
          const known = await users.findBySubject(resource, profile.issuer, profile.subject)
          return known?.id ?? (await users.insert(resource, profile, NOW)).id
        })
      // Each is the first in half of the rounds.
      const early = round % 2 === 0 ? add() : null
      const signedIn = signIn()
      const isAdded = await (early ?? add())
      const id = await signedIn
      assert.equal(isAdded, id === userId, 'the sign-in is of the user who has the identity')
      assert.equal(
        (await stores.users.findBySubject(resource, profile.issuer, profile.subject))?.id,
        id,
      )
    }
  })

  test(`[${engine}] a user with one identity has no row of identities, also after all others were removed or moved`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores, 'one-two')
    const several = async () =>
      (await stores.users.findRecord(resource, userId))?.identities.map((each) => each.subject)
    const own = await several()
    const found = async (name: string) => {
      const { issuer, subject } = googleProfile(name)
      return stores.users.findBySubject(resource, issuer, subject)
    }
    for (const name of ['added', 'third']) {
      assert.equal(
        await stores.identities.add(resource, userId, { ...googleProfile(name), lastSeen: NOW }),
        true,
      )
    }
    assert.equal(
      await stores.identities.add(resource, userId, { ...googleProfile('added'), lastSeen: NOW }),
      false,
    )
    assert.equal((await found('added'))?.hasSeveralIdentities, true)
    for (const name of ['added', 'third']) {
      assert.equal(await stores.identities.remove(resource, userId, googleProfile(name)), true)
    }
    assert.deepEqual([await several(), await found('added')], [own, null])
    const { id } = await stores.users.insert(resource, googleProfile('added'), NOW)
    assert.equal((await found('added'))?.hasSeveralIdentities, false)
    assert.equal(
      await stores.identities.remove(resource, id, googleProfile('added')),
      false,
      'the only one',
    )
    assert.equal(await stores.identities.pin(resource, id, googleProfile('added')), false)
    assert.equal((await found('added'))?.id, id)
  })

  for (const change of ['removal', 'merge'] as const) {
    // proves S112
    test(`[${engine}] a user is read with its identities in one statement: a concurrent ${change} is not half in the result`, async (t) => {
      const opened = await openTestStorage(t, engine)
      const { stores } = opened
      const { resource, userId } = await signInUser(stores, 'one-two')
      const other = await stores.users.insert(resource, googleProfile('other'), NOW)
      await stores.identities.add(resource, userId, { ...googleProfile('added'), lastSeen: NOW })
      const changes = {
        removal: () => stores.identities.remove(resource, userId, googleProfile('ada')),
        merge: () =>
          stores.transaction(async ({ identities, users }) => {
            await identities.move(resource, userId, other.id)
            await users.remove(resource, userId)
          }),
      }
      const before = await stores.users.records(resource, { after: 0, limit: 10 })
      assert.deepEqual(
        before.map(({ identities }) => identities.map(({ subject }) => subject)),
        [['subject-of-ada', 'subject-of-added'], ['subject-of-other']],
      )
      let isChanged = false
      const users = await readingUsers(t, opened, async () => {
        if (!isChanged) {
          await changes[change]()
        }
        isChanged = true
      })
      assert.deepEqual(await users.records(resource, { after: 0, limit: 10 }), before)
      assert.equal(isChanged, true)
      assert.notDeepEqual(await stores.users.findRecord(resource, userId), before[0])
    })
  }

  test(`[${engine}] one user is read with its identities in one statement`, async (t) => {
    const opened = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(opened.stores, 'one-two')
    const added = {
      ...googleProfile('added', { name: '"\\\u{1f600}', picture: 'https://example.com/p.png' }),
      lastSeen: NOW + 1,
    }
    await opened.stores.identities.add(resource, userId, added)
    let statements = 0
    const users = await readingUsers(t, opened, async () => void statements++)
    const record = await users.findRecord(resource, userId)
    assert.deepEqual(record?.identities, [
      { ...googleProfile('ada'), pinned: false, lastSeen: NOW },
      { ...added, pinned: false },
    ])
    assert.equal(statements, 1)
  })
}

/** The store of users on a connection of its own that waits for `afterStatement` before it returns a result. */
async function readingUsers(
  t: TestContext,
  { database }: TestStorage,
  afterStatement: () => Promise<void>,
): Promise<UserStore> {
  const options = { warn: () => {}, lostWrite: () => {}, timing: { ...TIMING, ...TEST_TIMING } }
  const second =
    database.engine === 'sqlite'
      ? await openSqlite(database.file, options)
      : await openPostgres(database, options)
  t.after(() => second.close())
  const hook: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await afterStatement()
      return result
    },
  }
  const { engine, read, write, writeEarly } = second
  const unused: Access['inTransaction'] = () => assert.fail('only reads')
  return userStore({
    engine,
    read: read.withPlugin(hook),
    write,
    writeEarly,
    inTransaction: unused,
  })
}
