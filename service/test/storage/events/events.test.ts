import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../support/postgres/engines.ts'
import { appendEvent, NOW, newEvent, openTestStorage } from '../../support/postgres/storage.ts'

for (const engine of ENGINES) {
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
}
