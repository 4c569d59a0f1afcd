import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../support/postgres/engines.ts'
import { googleProfile, NOW, openTestStorage, signInUser } from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

for (const engine of ENGINES) {
  test(`[${engine}] of an added identity and a concurrent new user with it, one is stored`, {
    skip: slow,
  }, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores, 'one-two')
    for (let round = 0; round < 20; round++) {
      const profile = googleProfile(`person-${round}`)
      const add = () =>
        stores.transaction(({ identities }) => identities.add(resource, userId, { ...profile, lastSeen: NOW }))
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
      assert.equal((await stores.users.findBySubject(resource, profile.issuer, profile.subject))?.id, id)
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
      assert.equal(await stores.identities.add(resource, userId, { ...googleProfile(name), lastSeen: NOW }), true)
    }
    assert.equal(await stores.identities.add(resource, userId, { ...googleProfile('added'), lastSeen: NOW }), false)
    assert.equal((await found('added'))?.hasSeveralIdentities, true)
    for (const name of ['added', 'third']) {
      assert.equal(await stores.identities.remove(resource, userId, googleProfile(name)), true)
    }
    assert.deepEqual([await several(), await found('added')], [own, null])
    const { id } = await stores.users.insert(resource, googleProfile('added'), NOW)
    assert.equal((await found('added'))?.hasSeveralIdentities, false)
    assert.equal(await stores.identities.remove(resource, id, googleProfile('added')), false, 'the only one')
    assert.equal(await stores.identities.pin(resource, id, googleProfile('added')), false)
    assert.equal(await stores.identities.move(resource, id, 99), false)
    assert.equal((await found('added'))?.id, id)
  })
}
