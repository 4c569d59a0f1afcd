import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Conflict } from '../../../src/storage/database-errors.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  appendEvent,
  googleProfile,
  NOW,
  newEvent,
  openTestStorage,
  signInUser,
} from '../../support/postgres/storage.ts'

for (const engine of ENGINES) {
  test(`[${engine}] issuer and subject identify a user, whatever the email address; another app has another user`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const resource = await stores.resources.provision('one-two', [], NOW)
    const elsewhere = await stores.resources.provision('three-four', [], NOW)
    const ada = await stores.users.insert(resource, googleProfile('ada'), NOW)
    const sameMail = await stores.users.insert(
      resource,
      googleProfile('eve', { email: 'ada@example.com' }),
      NOW,
    )
    const adaElsewhere = await stores.users.insert(elsewhere, googleProfile('ada'), NOW)
    assert.deepEqual([ada.id, sameMail.id, adaElsewhere.id], [1, 2, 1], 'ids count per tenant')

    const { issuer, subject } = googleProfile('ada')
    const found = { ...ada, blockedAt: null, hasSeveralIdentities: false }
    assert.deepEqual(await stores.users.findBySubject(resource, issuer, subject), found)
    assert.equal(await stores.users.findBySubject(resource, 'https://other.example', subject), null)

    const moved = googleProfile('ada', {
      email: 'ada@new.example',
      name: null,
      picture: 'https://new.example/p',
    })
    const updated = await stores.users.update(resource, ada.id, moved, NOW + 5)
    assert.deepEqual(updated, {
      id: ada.id,
      email: 'ada@new.example',
      name: null,
      picture: 'https://new.example/p',
      firstSeen: NOW,
    })
    assert.deepEqual(await stores.users.find(resource, ada.id), updated)
    assert.equal((await stores.users.findRecord(resource, ada.id))?.lastSeen, NOW + 5)
  })

  test(`[${engine}] the sign-in of a user who is blocked or deleted meanwhile runs again`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores)
    const before = await stores.users.findRecord(resource, userId)
    const signIn = () =>
      stores.users.update(resource, userId, googleProfile('ada', { name: 'Ada' }), NOW + 5)
    assert.equal(await stores.users.setBlocked(resource, userId, NOW), true)
    await assert.rejects(signIn(), Conflict)
    assert.deepEqual(await stores.users.findRecord(resource, userId), { ...before, blockedAt: NOW })
    await stores.users.setBlocked(resource, userId, null)
    assert.equal((await signIn()).name, 'Ada')
    assert.equal(await stores.users.remove(resource, userId), true)
    await assert.rejects(signIn(), Conflict)
    assert.equal(await stores.users.remove(resource, userId), false)
    assert.equal(await stores.users.setBlocked(resource, userId, NOW), false)
  })

  test(`[${engine}] users are paged by ascending id`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const resource = await stores.resources.provision('one-two', [], NOW)
    const elsewhere = await stores.resources.provision('three-four', [], NOW)
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await stores.users.insert(resource, googleProfile(name), NOW)
      await stores.users.insert(elsewhere, googleProfile(name), NOW)
    }
    const first = await stores.users.page(resource, { after: 0, limit: 3 })
    const second = await stores.users.page(resource, { after: first.at(-1)?.id ?? 0, limit: 3 })
    assert.deepEqual(
      [...first, ...second].map(({ name }) => name),
      ['a', 'b', 'c', 'd', 'e'],
    )
    assert.deepEqual(
      await stores.users.page(resource, { after: second.at(-1)?.id ?? 0, limit: 3 }),
      [],
    )
  })

  test(`[${engine}] ids are not reused after the newest rows are deleted`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const ids: number[][] = []
    for (let round = 0; round < 2; round += 1) {
      const { resource, userId, session } = await signInUser(stores)
      const id = await appendEvent(stores, resource, newEvent('login_started'))
      ids.push([resource.id, userId, session.id, id])
      await stores.resources.markDeleted(resource.tenantId, NOW)
      while ((await stores.resources.purge(resource.tenantId, resource.id, 100)).rows > 0) {}
    }
    const [first = [], second = []] = ids
    for (const [index, id] of second.entries()) {
      assert.ok(id > (first[index] as number))
    }
    assert.deepEqual(
      [second[1], second[3]],
      [2, 2],
      'users and events count per tenant, without gaps',
    )
  })
}
