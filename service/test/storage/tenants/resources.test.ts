import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCESS_TOKEN_MS } from '../../../src/domain/sessions/session.ts'
import { isPending } from '../../support/faults/held-disk.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  appendEvent,
  googleProfile,
  NOW,
  newEvent,
  newSession,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'

const MARGIN_MS = 120_000

for (const engine of ENGINES) {
  test(`[${engine}] provisioning again replaces the callback list and keeps the resource`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const first = await stores.resources.provision(
      'one-two',
      ['https://a.example/cb', 'https://b.example/cb'],
      NOW,
    )
    assert.deepEqual(await stores.resources.findActive('one-two'), first)
    assert.equal(await stores.resources.findActive('three-four'), null)

    const second = await stores.resources.provision('one-two', ['https://c.example/cb'], NOW + 5)
    assert.deepEqual(second, {
      ...first,
      callbackUrls: ['https://c.example/cb'],
      updatedAt: NOW + 5,
    })
    assert.deepEqual(await stores.resources.lockActive('one-two'), second)
  })

  test(`[${engine}] ten concurrent provisions create one resource`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        stores.resources.provision('one-two', [`https://${index}.example/`], NOW),
      ),
    )
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  })

  // proves C014
  test(`[${engine}] another tenant's data cannot be read or changed, even with its ids`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, userId, session } = await signInUser(stores)
    const other = await stores.resources.provision('other-tenant', [], NOW)
    const forged = { ...resource, tenantId: 'other-tenant' }
    for (const theirs of [other, forged]) {
      assert.equal(await stores.users.find(theirs, userId), null)
      await assert.rejects(stores.users.update(theirs, userId, googleProfile('eve'), NOW + 1))
      assert.deepEqual(await stores.users.page(theirs, { after: 0, limit: 10 }), [])
      assert.equal(await stores.sessions.find(theirs, session.id), null)
      assert.equal(await refreshSession(stores, theirs, rotation(session, NOW + 1)), null)
      assert.equal(await stores.sessions.end(theirs, session.id, NOW + 1), null)
    }
    assert.deepEqual(await stores.resources.purge('other-tenant', resource.id, 10), {
      rows: 0,
      users: 0,
    })
    assert.equal((await stores.users.findRecord(resource, userId))?.lastSeen, NOW)
  })

  test(`[${engine}] a deleted resource is invisible at once, also to readers that have loaded it`, async (t) => {
    const { stores, revocations } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores)
    await appendEvent(stores, resource, newEvent('authorize', { userId }))

    assert.deepEqual(await stores.resources.markDeleted(resource.tenantId, NOW + 5), resource)
    assert.equal(await stores.resources.markDeleted(resource.tenantId, NOW + 6), null)
    assert.equal(await stores.resources.findActive(resource.tenantId), null)
    assert.equal(await stores.resources.lockActive(resource.tenantId), null)
    assert.equal(await stores.users.find(resource, userId), null)
    assert.deepEqual(await stores.users.page(resource, { after: 0, limit: 10 }), [])
    assert.deepEqual(await stores.events.page(resource, { after: 0, limit: 10 }), [])
    assert.deepEqual(await stores.events.page(resource, { after: 0, limit: 10, userId }), [])
    const until = NOW + 5 + ACCESS_TOKEN_MS + MARGIN_MS
    const { tenantId, id: resourceId } = resource
    assert.deepEqual(revocations(), [{ kind: 'resource', tenantId, resourceId, until }])
  })

  test(`[${engine}] a deleted resource is purged in resumable chunks; an active one is not`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { resource, userId } = await signInUser(stores)
    await stores.users.insert(resource, googleProfile('eve'), NOW)
    await stores.sessions.start(resource, newSession(userId))
    for (let count = 0; count < 5; count += 1) {
      await appendEvent(stores, resource, newEvent('login_started'))
    }
    const { resource: other } = await signInUser(stores, 'other-tenant')

    assert.deepEqual(await stores.resources.purge(resource.tenantId, resource.id, 3), {
      rows: 0,
      users: 0,
    })
    await stores.resources.markDeleted(resource.tenantId, NOW)
    const { id, tenantId } = resource
    assert.deepEqual(await stores.resources.listDeleting(10), [{ id, tenantId }])

    const steps: { rows: number; users: number }[] = []
    do {
      steps.push(await stores.resources.purge(tenantId, id, 3))
    } while (steps.at(-1)?.rows !== 0)
    // Two sessions, five events, two users, and the resource itself.
    assert.deepEqual(steps, [
      { rows: 3, users: 0 },
      { rows: 3, users: 0 },
      { rows: 3, users: 2 },
      { rows: 1, users: 0 },
      { rows: 0, users: 0 },
    ])
    assert.deepEqual(await stores.resources.listDeleting(10), [])
    for (const table of ['resources', 'users', 'sessions']) {
      assert.deepEqual(
        (await raw(database, `select tenant_id from ${table}`)).map((row) => row.tenant_id),
        [other.tenantId],
      )
    }
  })

  test(`[${engine}] concurrent purges remove each row once`, { skip: slow }, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const second = await openTestStorage(t, engine, { database })
    const { resource } = await signInUser(stores)
    for (let count = 0; count < 40; count += 1) {
      await appendEvent(stores, resource, newEvent('login_started'))
    }
    await stores.resources.markDeleted(resource.tenantId, NOW)
    let rows = 0
    const purge = async ({ resources }: typeof stores) => {
      for (;;) {
        const done = await resources.purge(resource.tenantId, resource.id, 3)
        if (done.rows === 0) {
          return
        }
        rows += done.rows
      }
    }
    await Promise.all([purge(stores), purge(second.stores), purge(stores)])
    assert.equal(rows, 43)
    assert.deepEqual(await raw(database, 'select id from events'), [])
  })

  test(`[${engine}] a resource provisioned during a purge keeps its new users, and no id is reused`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource: old, userId, session } = await signInUser(stores)
    await appendEvent(stores, old, newEvent('login_started'))
    await stores.resources.markDeleted(old.tenantId, NOW)
    await stores.resources.purge(old.tenantId, old.id, 1)

    const { resource, userId: newUserId, session: newer } = await signInUser(stores)
    assert.ok(resource.id > old.id)
    assert.ok(newUserId > userId)
    assert.ok(newer.id > session.id)
    while ((await stores.resources.purge(old.tenantId, old.id, 1)).rows > 0) {}
    assert.deepEqual(await stores.users.page(old, { after: 0, limit: 10 }), [])
    assert.equal((await stores.users.page(resource, { after: 0, limit: 10 })).length, 1)
    assert.notEqual(await stores.sessions.find(resource, newer.id), null)
  })

  test(`[${engine}] a deletion waits for transactions that have locked the resource`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { resource } = await signInUser(stores)
    const order: string[] = []
    const locked = Promise.withResolvers<void>()
    const deletion = locked.promise
      .then(() => stores.resources.markDeleted(resource.tenantId, NOW))
      .then(() => order.push('deleted'))
    await stores.transaction(async (open) => {
      assert.deepEqual(await open.resources.lockActive(resource.tenantId), resource)
      locked.resolve()
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      if (engine === 'sqlite') {
        assert.ok(await isPending(deletion))
      } else {
        await waitUntil(
          'the deletion waits',
          async () => (await raw(database, waiting)).length === 1,
        )
      }
      await open.users.insert(resource, googleProfile('eve'), NOW)
      order.push('written')
    })
    await deletion
    assert.deepEqual(order, ['written', 'deleted'])
  })
}
