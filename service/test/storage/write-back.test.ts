import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../src/domain/api-error.ts'
import { ALL_GENERATIONS, type Revocation } from '../../src/domain/revocation/revocation.ts'
import { Revocations } from '../../src/domain/revocation/revocations.ts'
import { REFRESH_TOKEN_MS } from '../../src/domain/sessions/session.ts'
import {
  failoverRecovery,
  writeBackRevocations,
} from '../../src/operations/sessions/recover-from-failover.ts'
import { TenantDirectory } from '../../src/operations/tenants/tenant-directory.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import {
  googleProfile,
  HOUR_MS,
  NOW,
  newSession,
  openTestStorage,
  signInUser,
} from '../support/postgres/storage.ts'

const LATER = NOW + 1_000

for (const engine of ENGINES) {
  // proves S023
  test(`[${engine}] what a process remembers and the database lost is written back, and nothing else changes`, async (t) => {
    const { stores, revocations: published } = await openTestStorage(t, engine)
    const { resource, userId, session: refreshed } = await signInUser(stores)
    const start = (generation: number) =>
      stores.sessions.start(resource, newSession(userId, { generation }))
    const [signedOut, ahead, untouched] = [await start(2), await start(8), await start(3)]
    const deleted = await stores.resources.provision('one-two-three', [], NOW)
    await stores.users.insert(deleted, googleProfile('ada'), NOW)
    await stores.sessions.end(resource, (await start(0)).id, NOW)
    const [stored] = published()
    assert.ok(stored?.kind === 'session')

    const revocations = new Revocations()
    const of = (sessionId: number, generation: number) =>
      revocations.apply({
        kind: 'session',
        tenantId: '',
        sessionId,
        generation,
        until: NOW + HOUR_MS,
      })
    revocations.apply(stored)
    of(refreshed.id, 4)
    of(signedOut.id, ALL_GENERATIONS)
    // The row is newer: a refresh after the failover.
    of(ahead.id, 7)
    revocations.apply({
      kind: 'resource',
      tenantId: '',
      resourceId: deleted.id,
      until: NOW + HOUR_MS,
    })
    revocations.apply({ kind: 'tenant-paused', tenantId: 'undone', until: NOW + HOUR_MS })
    const ctx = {
      stores,
      revocations,
      directory: new TenantDirectory(stores, () => LATER),
      now: () => LATER,
    }

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
    assert.deepEqual(await stores.resources.listDeleting(10), [
      { id: deleted.id, tenantId: 'one-two-three' },
    ])
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

/** A recovery whose database returns when the test says so, and what it did, in order. */
function recovery(lost: number, stored: readonly Revocation[] = []) {
  const revocations = new Revocations()
  for (let sessionId = 1; sessionId <= lost; sessionId++) {
    revocations.apply({
      kind: 'session',
      tenantId: '',
      sessionId,
      generation: 1,
      until: NOW + HOUR_MS,
    })
  }
  const did: string[] = []
  const loads: PromiseWithResolvers<void>[] = []
  const stores = {
    loadRevocations(_now: number, read: (page: readonly Revocation[]) => void) {
      did.push('load')
      read(stored)
      const load = Promise.withResolvers<void>()
      loads.push(load)
      return load.promise
    },
    async writeBack(batch: readonly unknown[]) {
      did.push(`write ${batch.length}`)
      return { ended: batch.length, advanced: 0, deleted: 0 }
    },
  }
  const log = {
    warn: (line: string) => did.push(line.replace(/.*: /, '')),
    error: (line: string) => did.push(line.replace(/;.*/, '')),
  }
  const directory = { clear: () => did.push('clear') }
  const closed = new AbortController()
  const ctx = { stores, revocations, directory, log, now: () => NOW }
  const replaced = failoverRecovery(
    ctx as unknown as Parameters<typeof failoverRecovery>[0],
    closed.signal,
  )
  const settled = async (settle: (load: PromiseWithResolvers<void>) => void): Promise<string[]> => {
    settle(loads.at(-1) ?? assert.fail('nothing is loading'))
    await new Promise((resolve) => setImmediate(resolve))
    return did.splice(0)
  }
  return { did, revocations, replaced, closed, settled }
}

test('a replaced database is written back in batches of 100, each change of its server once', async () => {
  const cases: readonly (readonly [number, readonly string[]])[] = [
    [0, []],
    [100, ['write 100']],
    [201, ['write 100', 'write 100', 'write 1']],
  ]
  for (const [lost, writes] of cases) {
    const { replaced, settled } = recovery(lost)
    replaced()
    const report =
      lost === 0 ? [] : [`${lost} sessions ended, 0 sessions refreshed, 0 resources deleted`]
    assert.deepEqual(await settled(({ resolve }) => resolve()), [
      'clear',
      'load',
      ...writes,
      'clear',
      ...report,
    ])
  }
})

test('a write-back that fails is tried again after a second, and starts over if the database is replaced meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { did, replaced, closed, settled } = recovery(0)
  const fail = (error: Error) => settled(({ reject }) => reject(error))
  const succeed = () => settled(({ resolve }) => resolve())
  replaced()
  assert.deepEqual(await fail(new Unavailable('away')), ['clear', 'load'])
  t.mock.timers.tick(999)
  assert.deepEqual(await succeed(), [], 'it waits')
  t.mock.timers.tick(1)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await fail(new Error('a bug')), [
    'clear',
    'load',
    'revocations could not be written back',
  ])
  t.mock.timers.tick(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(did.splice(0), ['clear', 'load'])
  replaced()
  replaced()
  assert.deepEqual(did, [], 'one at a time')
  assert.deepEqual(await succeed(), ['clear', 'clear', 'load'])
  assert.deepEqual(await succeed(), ['clear'])
  replaced()
  closed.abort()
  assert.deepEqual(await fail(new Unavailable('away')), ['clear', 'load'])
  t.mock.timers.tick(1_000)
  assert.deepEqual(await succeed(), [], 'the process ends')
})

test('a pause that the database has lost is over, and one that it has is kept; what it has is not written again', async () => {
  const until = NOW + HOUR_MS
  const paused = (tenantId: string): Revocation => ({ kind: 'tenant-paused', tenantId, until })
  const session: Revocation = { kind: 'session', tenantId: '', sessionId: 1, generation: 1, until }
  const { replaced, revocations, settled } = recovery(2, [paused('kept'), session])
  for (const tenantId of ['kept', 'lost']) {
    revocations.apply(paused(tenantId))
  }
  replaced()
  assert.deepEqual((await settled(({ resolve }) => resolve())).slice(0, 3), [
    'clear',
    'load',
    'write 1',
  ])
  assert.deepEqual([revocations.isPaused('kept'), revocations.isPaused('lost')], [true, false])
})
