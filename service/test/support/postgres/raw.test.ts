import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../world.ts'
import { databaseOf } from './database-rows.ts'
import { raw } from './storage.ts'

test('a statement of a test waits for a transaction of the service in its process', async (t) => {
  const service = await world(t, { engine: 'sqlite' })
  const counter = { scope: 'tenant:a-b', window: 'users', start: 0 } as const
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const transaction = service.app.ctx.stores.transaction(async (stores) => {
    await stores.counters.spend(counter, 1, null)
    isLocked()
    await mayCommit
  })
  await locked
  const deleted = raw(databaseOf(service), 'delete from counters')
  commit()
  await Promise.all([transaction, deleted])
  assert.equal(await service.app.ctx.stores.counters.remove(counter), 0)
})
