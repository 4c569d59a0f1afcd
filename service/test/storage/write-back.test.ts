import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_GENERATIONS } from '../../src/domain/revocation/revocation.ts'
import { Revocations } from '../../src/domain/revocation/revocations.ts'
import { REFRESH_TOKEN_MS } from '../../src/domain/sessions/session.ts'
import { writeBackRevocations } from '../../src/operations/sessions/recover-from-failover.ts'
import { TenantDirectory } from '../../src/operations/tenants/tenant-directory.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { googleProfile, HOUR_MS, NOW, newSession, openTestStorage, signInUser } from '../support/postgres/storage.ts'

const LATER = NOW + 1_000

for (const engine of ENGINES) {
  test(`[${engine}] what a process remembers and the database lost is written back, and nothing else changes`, async (t) => {
    const { stores, revocations: published } = await openTestStorage(t, engine)
    const { resource, userId, session: refreshed } = await signInUser(stores)
    const start = (generation: number) => stores.sessions.start(resource, newSession(userId, { generation }))
    const [signedOut, ahead, untouched] = [await start(2), await start(8), await start(3)]
    const deleted = await stores.resources.provision('one-two-three', [], NOW)
    await stores.users.insert(deleted, googleProfile('ada'), NOW)
    await stores.sessions.end(resource, (await start(0)).id, NOW)
    const [stored] = published()
    assert.ok(stored?.kind === 'session')

    const revocations = new Revocations()
    const of = (sessionId: number, generation: number) =>
      revocations.apply({ kind: 'session', tenantId: '', sessionId, generation, until: NOW + HOUR_MS })
    revocations.apply(stored)
    of(refreshed.id, 4)
    of(signedOut.id, ALL_GENERATIONS)
    // The row is newer: a refresh after the failover.
    of(ahead.id, 7)
    revocations.apply({ kind: 'resource', tenantId: '', resourceId: deleted.id, until: NOW + HOUR_MS })
    revocations.apply({ kind: 'tenant-paused', tenantId: 'undone', until: NOW + HOUR_MS })
    const ctx = { stores, revocations, directory: new TenantDirectory(stores, () => LATER), now: () => LATER }

    assert.deepEqual(await writeBackRevocations(ctx), { ended: 1, advanced: 1, deleted: 1 })
    const found = await stores.sessions.find(resource, refreshed.id)
    assert.deepEqual(
      [found?.generation, found?.rotatedAt, found?.expiresAt, found?.idempotencyHash],
      [4, LATER, LATER + REFRESH_TOKEN_MS, null],
      'the client has the refresh token of this generation',
    )
    assert.equal(await stores.sessions.find(resource, signedOut.id), null)
    assert.equal((await stores.sessions.find(resource, ahead.id))?.generation, 8)
    assert.deepEqual(await stores.sessions.find(resource, untouched.id), untouched)
    assert.equal(await stores.resources.findActive('one-two-three'), null)
    assert.deepEqual(await stores.resources.listDeleting(10), [{ id: deleted.id, tenantId: 'one-two-three' }])
    assert.ok((await stores.resources.findActive(resource.tenantId)) !== null)
    assert.equal(revocations.isPaused('undone'), false)

    // Other instances read them from the table, and a second process that remembers the same has nothing to add.
    const written = new Revocations()
    await stores.loadRevocations(NOW, (page) => page.forEach((each) => void written.apply(each)))
    assert.equal(written.isRevoked(refreshed.id, 3) && !written.isRevoked(refreshed.id, 4), true)
    assert.equal(written.isRevoked(signedOut.id, 1_000), true)
    assert.equal(written.isDeleted(deleted.id) && !written.isDeleted(resource.id), true)
    assert.deepEqual(await writeBackRevocations(ctx), { ended: 0, advanced: 0, deleted: 0 })
  })
}
