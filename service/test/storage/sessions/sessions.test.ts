import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_GENERATIONS } from '../../../src/domain/revocation/revocation.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../../../src/domain/sessions/session.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  raw,
  refreshSession,
  rotation,
  signInUser,
} from '../../support/postgres/storage.ts'

const MARGIN_MS = 120_000

for (const engine of ENGINES) {
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

  // proves C022, C156
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
}
