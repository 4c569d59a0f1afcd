import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_GENERATIONS } from '../../../src/domain/revocation/revocation.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../../../src/domain/sessions/session.ts'
import { Conflict } from '../../../src/storage/database-errors.ts'
import { isPending } from '../../support/faults/held-disk.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  appendEvent,
  googleProfile,
  HOUR_MS,
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

  test(`[${engine}] a session is stored and read unchanged, including bytes`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const resource = await stores.resources.provision('one-two', [], NOW)
    const stored = newSession(7, { idempotencyHash: 'idem' })
    const session = await stores.sessions.start(resource, stored)
    assert.deepEqual(session, { ...stored, id: session.id })
    assert.deepEqual(await stores.sessions.find(resource, session.id), session)
    assert.equal(await stores.sessions.find(resource, session.id + 1), null)
  })

  test(`[${engine}] a rotation publishes a revocation until the old access token expires`, async (t) => {
    const { stores, revocations } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const now = NOW + 10_000
    const rotated = await refreshSession(
      stores,
      resource,
      rotation(session, now, { idempotencyHash: 'idem' }),
    )
    const expected = {
      ...session,
      generation: 1,
      rotatedAt: now,
      expiresAt: now + REFRESH_TOKEN_MS,
      idempotencyHash: 'idem',
    }
    assert.deepEqual(rotated, expected)
    assert.deepEqual(await stores.sessions.find(resource, session.id), expected)
    const until = session.rotatedAt + ACCESS_TOKEN_MS + MARGIN_MS
    const about = { kind: 'session', tenantId: resource.tenantId, sessionId: session.id } as const
    assert.deepEqual(revocations(), [{ ...about, generation: 1, until }])

    // Most refreshes come after the access token has expired, and need no revocation.
    const late = now + ACCESS_TOKEN_MS + MARGIN_MS
    assert.equal((await refreshSession(stores, resource, rotation(expected, late)))?.generation, 2)
    assert.equal(revocations().length, 1)
  })

  test(`[${engine}] a rotation needs the current generation, the right salt, and an unexpired session`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    for (const wrong of [
      rotation(session, NOW, { generation: 1 }),
      rotation(session, NOW, { salt: new Uint8Array(16) }),
      rotation(session, NOW, { sessionId: session.id + 1 }),
      rotation(session, session.expiresAt),
    ]) {
      assert.equal(await refreshSession(stores, resource, wrong), null)
    }
    const old = await stores.sessions.start(resource, newSession(1, { absoluteExpiresAt: NOW + 5 }))
    assert.equal(await refreshSession(stores, resource, rotation(old, NOW + 5)), null)
    assert.deepEqual(published, [])
    assert.equal(
      (await refreshSession(stores, resource, rotation(session, session.expiresAt - 1)))
        ?.generation,
      1,
    )
  })

  test(`[${engine}] ending a session revokes every generation`, async (t) => {
    const { stores, revocations } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    assert.deepEqual(await stores.sessions.end(resource, session.id, NOW + 1), session)
    assert.equal(await stores.sessions.end(resource, session.id, NOW + 1), null)
    assert.equal(await stores.sessions.find(resource, session.id), null)
    const until = session.rotatedAt + ACCESS_TOKEN_MS + MARGIN_MS
    const about = { kind: 'session', tenantId: resource.tenantId, sessionId: session.id } as const
    assert.deepEqual(revocations(), [{ ...about, generation: ALL_GENERATIONS, until }])

    const quiet = await stores.sessions.start(resource, newSession(1))
    await stores.sessions.end(resource, quiet.id, until)
    assert.equal(revocations().length, 1, 'its access token had expired')
  })

  test(`[${engine}] expired sessions are swept, and refreshed ones are checked again later`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, session: refreshed } = await signInUser(stores)
    for (let count = 0; count < 3; count += 1) {
      await stores.sessions.start(resource, newSession(1))
    }
    await stores.sessions.start(resource, newSession(1, { absoluteExpiresAt: NOW + 5 }))
    await refreshSession(stores, resource, rotation(refreshed, NOW + HOUR_MS))

    assert.equal(await stores.sessions.sweep(NOW + 4, 10), 0)
    assert.equal(await stores.sessions.sweep(NOW + 5, 10), 1, 'its absolute expiry has passed')
    const month = NOW + REFRESH_TOKEN_MS
    assert.equal(await stores.sessions.sweep(month - 1, 10), 0)
    // Three expired sessions, and one that was checked and postponed.
    assert.equal(await stores.sessions.sweep(month, 2), 2)
    assert.equal(await stores.sessions.sweep(month, 2), 2)
    assert.equal(await stores.sessions.sweep(month, 2), 0)
    assert.notEqual(await stores.sessions.find(resource, refreshed.id), null)
    assert.equal(await stores.sessions.sweep(month + HOUR_MS - 1, 10), 0)
    assert.equal(await stores.sessions.sweep(month + HOUR_MS, 10), 1)
    assert.equal(await stores.sessions.find(resource, refreshed.id), null)
  })

  test(`[${engine}] a sweep checks at most its limit of sessions, also when none has expired`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const sessions = [session]
    while (sessions.length < 5) {
      sessions.push(await stores.sessions.start(resource, newSession(1)))
    }
    for (const each of sessions) {
      await refreshSession(stores, resource, rotation(each, NOW + HOUR_MS))
    }

    const month = NOW + REFRESH_TOKEN_MS
    const due = async () =>
      (await raw(database, `select id from sessions where sweep_at <= ${month}`)).length
    const left: number[] = []
    while ((await stores.sessions.sweep(month, 2)) === 2) {
      left.push(await due())
    }
    assert.deepEqual([...left, await due()], [3, 1, 0])
    for (const { id } of sessions) {
      assert.notEqual(await stores.sessions.find(resource, id), null)
    }
  })

  test(`[${engine}] events are paged by kind, by user, or both`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const resource = await stores.resources.provision('one-two', [], NOW)
    const elsewhere = await stores.resources.provision('three-four', [], NOW)
    const full = newEvent('authorize', {
      userId: 1,
      email: 'ada@example.com',
      redirectUri: 'https://app.example.com/cb',
      returnTo: '/x',
      metadata: { by: 'user', ...{ 'quote"': "it's" } },
    })
    const ids: number[] = []
    for (const event of [
      newEvent('login_started'),
      full,
      newEvent('token_refreshed', { userId: 1 }),
      newEvent('token_refreshed', { userId: 2 }),
      newEvent('logout', { userId: 1 }),
      newEvent('login_failed'),
      newEvent('consent_denied'),
    ]) {
      ids.push(await appendEvent(stores, resource, event))
      await appendEvent(stores, elsewhere, event)
    }
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    const page = async (query: Partial<Parameters<typeof stores.events.page>[1]>) =>
      (await stores.events.page(resource, { after: 0, limit: 10, ...query })).map(({ id }) =>
        ids.indexOf(id),
      )

    assert.deepEqual(await page({}), [0, 1, 2, 3, 4, 5, 6])
    assert.deepEqual(await page({ limit: 3 }), [0, 1, 2])
    assert.deepEqual(await page({ limit: 3, after: ids[2] as number }), [3, 4, 5])
    assert.deepEqual(await page({ event: 'token_refreshed' }), [2, 3])
    assert.deepEqual(await page({ event: 'token_refreshed', after: ids[2] as number }), [3])
    assert.deepEqual(await page({ userId: 1 }), [1, 2, 4])
    assert.deepEqual(await page({ userId: 1, limit: 2 }), [1, 2])
    assert.deepEqual(await page({ userId: 1, event: 'token_refreshed' }), [2])
    assert.deepEqual(await page({ userId: 3 }), [])
    assert.deepEqual(
      await stores.events.page(resource, { after: 0, limit: 1, event: 'authorize' }),
      [{ ...full, id: ids[1] }],
    )
    assert.deepEqual(published.slice(0, 2), [
      {
        revocations: [],
        changedTenants: ['one-two'],
        deliverable: [{ tenantId: 'one-two', kinds: ['login_started'] }],
      },
      {
        revocations: [],
        changedTenants: ['three-four'],
        deliverable: [{ tenantId: 'three-four', kinds: ['login_started'] }],
      },
    ])
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

  test(`[${engine}] of concurrent late repeats of one session one moves its rotation, and later ones see it`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { resource, session } = await signInUser(stores)
    const reissued = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        stores.sessions.reissue(resource, session, NOW + 100, NOW + 1 + at),
      ),
    )
    assert.equal(reissued.filter((each) => each).length, 1)
    const after = await stores.sessions.find(resource, session.id)
    assert.deepEqual(after?.late, { generation: session.generation, until: NOW + 100 })
    assert.ok(after !== null && after.rotatedAt > NOW)
    assert.equal(
      await stores.sessions.reissue(resource, session, NOW + 200, NOW + 50),
      false,
      'it was rotated since',
    )
    assert.deepEqual(await stores.sessions.find(resource, session.id), after)
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
