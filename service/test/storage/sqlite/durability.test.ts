import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { windowLimits } from '../../../src/domain/limits/allowance.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { HeldDisk, isPending } from '../../support/faults/held-disk.ts'
import {
  appendEvent,
  freshDatabase,
  googleProfile,
  guest,
  NOW,
  newEvent,
  openTestStorage,
  raw,
  refreshOf,
  rotation,
  signInUser,
  startedAttempt,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

// No response may tell of a commit that a power failure can undo (decision 64). SQLite does not wait for the disk; every
// path out of the storage does.

const session = async (t: TestContext) => {
  // Before the storage: after a failed test the disk must be released before the storage closes.
  const disk = new HeldDisk(t)
  const one = await openTestStorage(t, 'sqlite')
  const signedIn = await signInUser(one.stores)
  return { ...one, ...signedIn, disk }
}

test('a write, a transaction and a refresh resolve only when the disk has stored them', async (t) => {
  const { stores, resource, session: current, userId, disk, database } = await session(t)
  const refresh = await refreshOf(stores, resource, rotation(current, NOW + 1))
  disk.hold()
  const waiting = [
    stores.users.update(resource, userId, googleProfile('eve'), NOW + 1),
    stores.transaction((open) => open.tenants.create(guest('one-two', 'v1-1'), [])),
    stores.refresh(refresh),
  ]
  for (const each of waiting) {
    assert.ok(await isPending(each))
  }
  const [user] = await raw(database, 'select email from users')
  assert.equal(user?.email, 'eve@example.com', 'committed, but not durable')
  disk.release()
  await Promise.all(waiting)
})

test('a read of this process waits for the commits that it has seen, and only for those', async (t) => {
  const { stores, resource, userId, disk } = await session(t)
  assert.equal((await stores.users.find(resource, userId))?.email, 'ada@example.com')
  disk.hold()
  const before = disk.syncs
  assert.equal((await stores.users.find(resource, userId))?.email, 'ada@example.com')
  assert.equal(disk.syncs, before, 'nothing new, so nothing to wait for')
  const written = stores.users.update(resource, userId, googleProfile('eve'), NOW + 1)
  assert.ok(await isPending(written))
  const reads = [stores.users.find(resource, userId), stores.users.find(resource, userId)]
  for (const read of reads) {
    assert.ok(await isPending(read))
  }
  disk.release()
  for (const read of reads) {
    assert.equal((await read)?.email, 'eve@example.com')
  }
  await written
})

test('a read of another process waits until what it has seen is durable, and syncs it itself', async (t) => {
  const { stores, resource, userId, disk, database } = await session(t)
  const other = await openTestStorage(t, 'sqlite', { database })
  assert.equal((await other.stores.users.find(resource, userId))?.email, 'ada@example.com')
  disk.hold()
  const written = stores.users.update(resource, userId, googleProfile('eve'), NOW + 1)
  assert.ok(await isPending(written))
  const read = other.stores.users.find(resource, userId)
  assert.ok(await isPending(read))
  disk.release()
  assert.equal((await read)?.email, 'eve@example.com')
  await written
})

test('what a killed process left is durable before it is read', async (t) => {
  const { database, resource, userId, disk } = await session(t)
  disk.hold()
  const opening = openStorage({ database, publish: () => {}, warn: () => {} })
  const reading = opening.then(({ stores }) => stores.users.find(resource, userId))
  assert.ok(await isPending(reading))
  disk.release()
  assert.equal((await reading)?.email, 'ada@example.com')
  await (await opening).close()
})

test('an error that depends on a commit waits for it, and is Unavailable if the commit fails', async (t) => {
  const { stores, resource, session: current, disk } = await session(t)
  const spent = await refreshOf(stores, resource, rotation(current, NOW + 1))
  const beyond = { ...spent, rotation: { ...spent.rotation, generation: 1 } }
  const { minute } = beyond.charges
  const atLimit = { ...minute, ...windowLimits('authenticated', 1) }
  const overLimit = { ...beyond, charges: { ...beyond.charges, minute: atLimit } }
  disk.hold()
  const written = stores.refresh(spent)
  assert.ok(await isPending(written))
  const failing = stores.transaction(async (open) => {
    if ((await open.sessions.find(resource, current.id))?.generation === 1) {
      throw new Error('refreshed already')
    }
  })
  const rejected = stores.refresh(overLimit)
  const duplicate = stores.tenants.create(guest(resource.tenantId, 'v1-1'), [])
  for (const each of [failing, rejected, duplicate]) {
    assert.ok(await isPending(each))
  }
  disk.release()
  await assert.rejects(failing, /refreshed already/)
  assert.equal((await rejected).outcome, 'over-limit')
  await assert.rejects(duplicate, /UNIQUE/)

  disk.hold()
  const lost = stores.refresh(beyond)
  const aboutLost = stores.transaction(async (open) => {
    if ((await open.sessions.find(resource, current.id))?.generation === 2) {
      throw new Error('refreshed already')
    }
  })
  assert.ok(await isPending(aboutLost))
  disk.fail()
  await assert.rejects(lost, Unavailable)
  await assert.rejects(aboutLost, Unavailable)
})

test('a login in progress does not wait for the disk; reads of it, its events and its decision do', async (t) => {
  const { stores, storage, published, resource, disk } = await session(t)
  await storage.follow()
  disk.hold()
  const started = startedAttempt(resource.tenantId)
  await stores.transaction(
    async (open) => {
      await open.attempts.add(started)
      await appendEvent(open, resource, newEvent('login_started'))
    },
    { mayBeLost: true },
  )
  assert.equal((await stores.attempts.take(started.id, NOW))?.stage, 'returned')
  assert.ok(
    await stores.attempts.identify(
      started,
      { profile: googleProfile('ada'), hostedDomain: '', remember: false },
      NOW,
    ),
  )

  const told = [
    stores.attempts.find(started.id, NOW),
    stores.events.page(resource, { after: 0, limit: 9 }),
    stores.transaction((open) => open.attempts.decide(started, 'authorize', NOW)),
  ]
  for (const each of told) {
    assert.ok(await isPending(each))
  }
  assert.deepEqual(published, [], 'neither long polls nor webhooks hear of the event')
  disk.release()
  await Promise.all(told)
  assert.deepEqual(
    published.flatMap(({ changedTenants }) => changedTenants),
    [resource.tenantId],
  )
})

test('a login in progress is stored soon, also if nothing else is committed or read', async (t) => {
  const { stores, storage, resource, disk } = await session(t)
  await storage.follow()
  disk.hold()
  const syncs = disk.syncs
  await stores.transaction((open) => open.attempts.add(startedAttempt(resource.tenantId)), {
    mayBeLost: true,
  })
  await waitUntil('the disk is asked to store it', () => disk.syncs > syncs)
  disk.release()
})

test('an error within a login in progress waits for what the login has read', async (t) => {
  const { stores, resource, userId, disk } = await session(t)
  disk.hold()
  const written = stores.users.update(resource, userId, googleProfile('eve'), NOW + 1)
  assert.ok(await isPending(written))
  const failing = stores.transaction(
    async (open) => {
      if ((await open.users.find(resource, userId))?.email === 'eve@example.com') {
        throw new Error('renamed')
      }
    },
    { mayBeLost: true },
  )
  assert.ok(await isPending(failing))
  disk.release()
  await written
  await assert.rejects(failing, /renamed/)
})

test('a login in progress whose commit fails is Unavailable, and its events are not published', async (t) => {
  const { stores, published, resource, database } = await session(t)
  await stores.tenants.create(guest(resource.tenantId, 'v1-1'), [])
  const before = published.length
  const failing = stores.transaction(
    async (open) => {
      await appendEvent(open, resource, newEvent('login_started'))
      await open.attempts.add(startedAttempt(resource.tenantId))
      await open.tenants.create(guest(resource.tenantId, 'v1-1'), [])
    },
    { mayBeLost: true },
  )
  await assert.rejects(failing, /UNIQUE/)
  assert.equal(published.length, before)
  assert.deepEqual(await raw(database, 'select id from events'), [])
  assert.deepEqual(await raw(database, 'select id from login_attempts'), [])
})

test('revocations and changes are published only when they are durable, in this process and in others', async (t) => {
  const {
    stores,
    published,
    resource,
    session: current,
    disk,
    database,
    storage,
  } = await session(t)
  const other = await openTestStorage(t, 'sqlite', { database })
  await storage.follow()
  await other.storage.follow()
  const refresh = await refreshOf(stores, resource, rotation(current, NOW + 1))
  disk.hold()
  const refreshed = stores.refresh(refresh)
  assert.ok(await isPending(refreshed))
  const caughtUp = other.storage.catchUp()
  assert.ok(await isPending(caughtUp))
  assert.deepEqual([...published, ...other.revocations()], [])
  disk.release()
  await refreshed
  await caughtUp
  assert.equal(published.length, 1)
  assert.equal(other.revocations().length, 1)
})

test('a sync that began before a commit does not make it durable; commits during a sync share the next one', async (t) => {
  const { stores, resource, userId, disk } = await session(t)
  const update = (name: string) =>
    stores.users.update(resource, userId, googleProfile(name), NOW + 1)
  disk.hold()
  const before = disk.syncs
  const first = update('one')
  assert.ok(await isPending(first))
  const later = [update('two')]
  assert.ok(await isPending(later[0] as Promise<unknown>))
  later.push(update('three'), update('four'))
  // All are committed before the first sync ends: it may end within one turn of the event loop.
  for (const each of later) {
    assert.ok(await isPending(each))
  }
  assert.equal(disk.syncs - before, 1)
  disk.releaseOne()
  await first
  for (const each of later) {
    assert.ok(await isPending(each))
  }
  const read = stores.users.find(resource, userId)
  assert.ok(await isPending(read))
  assert.equal(disk.syncs - before, 2)
  disk.releaseOne()
  await Promise.all([...later, read])
  assert.equal(disk.syncs - before, 2)
})

test('a failed sync is reported before anything that waits for it is rejected', async (t) => {
  const disk = new HeldDisk(t)
  const order: string[] = []
  const database = await freshDatabase(t, 'sqlite')
  const lostWrite = (): void => void order.push('reported')
  const storage = await openStorage({ database, publish: () => {}, warn: () => {}, lostWrite })
  t.after(() => storage.close())
  disk.hold()
  const write = storage.stores.tenants.create(guest('one-two', 'v1-1'), [])
  const noteRejection = (error: unknown): void => {
    assert.ok(error instanceof Unavailable)
    order.push('rejected')
  }
  const writing = write.then(() => assert.fail('acknowledged'), noteRejection)
  assert.ok(await isPending(writing))
  const reading = storage.stores.tenants
    .find('one-two')
    .then(() => assert.fail('read'), noteRejection)
  disk.fail()
  await Promise.all([writing, reading])
  assert.equal(order[0], 'reported')
  assert.equal(order.filter((each) => each === 'rejected').length, 2)
  disk.release()
})

test('closing waits for the commits that are not durable yet', async (t) => {
  const { storage, stores, resource, userId, disk } = await session(t)
  disk.hold()
  const written = stores.users.update(resource, userId, googleProfile('eve'), NOW + 1)
  const closing = storage.close()
  assert.ok(await isPending(written))
  assert.ok(await isPending(closing))
  disk.release()
  await written
  await closing
})
