import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../support/postgres/engines.ts'
import { NOW, openTestStorage, raw, signInUser } from '../../support/postgres/storage.ts'

const SHOWN = { brandHash: 'h', at: NOW }

for (const engine of ENGINES) {
  test(`[${engine}] a consent is found for its user, host, provider and browser only, and the newest of a browser counts`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { consents } = stores
    const { resource, userId } = await signInUser(stores)
    const other = await signInUser(stores, 'other-tenant')
    const key = { userId, host: 'app.example.com', provider: 'google' } as const
    await consents.remember(resource, { ...key, browserHash: 'b', ...SHOWN })
    assert.deepEqual(await consents.find(resource, key, ['x', 'b']), SHOWN)
    assert.equal(await consents.find(resource, key, ['x']), null)
    assert.equal(await consents.find(resource, { ...key, userId: userId + 1 }, ['b']), null)
    assert.equal(
      await consents.find(resource, { ...key, host: 'app.example.com:8443' }, ['b']),
      null,
    )
    assert.equal(await consents.find(resource, { ...key, provider: 'github' }, ['b']), null)
    assert.equal(await consents.find(other.resource, key, ['b']), null)

    // After a rotation of the master key, the cookie of one browser has two hashes.
    await consents.remember(resource, { ...key, browserHash: 'b2', brandHash: 'h2', at: NOW + 2 })
    assert.deepEqual(await consents.find(resource, key, ['b', 'b2']), {
      brandHash: 'h2',
      at: NOW + 2,
    })
    await consents.remember(resource, { ...key, browserHash: 'b', brandHash: 'h3', at: NOW + 3 })
    assert.deepEqual(await consents.find(resource, key, ['b', 'b2']), {
      brandHash: 'h3',
      at: NOW + 3,
    })
    assert.equal((await raw(database, 'select at from consents')).length, 2, 'one row per browser')
  })

  test(`[${engine}] all consents of a user are forgotten, and old ones are swept, those of others stay`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { consents } = stores
    const { resource, userId } = await signInUser(stores)
    const key = { userId, host: 'app.example.com', provider: 'google' } as const
    await consents.remember(resource, { ...key, browserHash: 'b', ...SHOWN })
    await consents.remember(resource, { ...key, browserHash: 'c', ...SHOWN, at: NOW + 5 })
    await consents.remember(resource, { ...key, userId: userId + 1, browserHash: 'b', ...SHOWN })
    assert.equal(await consents.hasAny(resource, userId, NOW + 5), true)
    assert.equal(await consents.hasAny(resource, userId, NOW + 6), false)
    assert.equal(await consents.forget(resource, userId), 2)
    assert.equal(await consents.forget(resource, userId), 0)
    assert.equal(await consents.sweep(NOW, 10), 0)
    assert.equal(await consents.hasAny(resource, userId + 1, 0), true)
    assert.equal(await consents.sweep(NOW + 1, 10), 1)
    assert.equal(await consents.hasAny(resource, userId + 1, 0), false)
  })
}
