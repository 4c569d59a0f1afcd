import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuntimeProfile } from '@gatehouse-auth/contract'
import type { RefusalCount } from '../../../src/domain/login/refusal.ts'
import type { Stores } from '../../../src/domain/stores/stores.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { guest, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

const PARTS = ['scheme', 'host', 'port', 'path', 'query'] as const
const TENANTS = ['a-fox', 'b-fox', 'c-fox', 'd-fox']

const refusal = (tenantId: string, differs: (typeof PARTS)[number], at = NOW): RefusalCount => ({
  ...{ tenantId, step: 'start', code: 'invalidRedirectUri', differs, sent: null, closest: null },
  ...{ count: 1, firstAt: at, lastAt: at },
})

async function create({ tenants, resources }: Stores, profile: RuntimeProfile): Promise<void> {
  for (const id of TENANTS) {
    await tenants.create(guest(id, profile), [])
    await resources.provision(id, [], 0)
  }
}

for (const engine of ENGINES) {
  // proves C184
  test(`[${engine}] refusals of a deleted social login that an instance still has in memory are not stored, those of the next one are`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await create(stores, profile)
    const stored = async () => (await stores.refusals.list('a-fox', 0, 50)).map(({ code }) => code)
    await stores.resources.markDeleted('a-fox', NOW)
    const notProvisioned = {
      ...refusal('a-fox', 'host'),
      code: 'notProvisioned',
      differs: null,
    } as const
    await stores.refusals.add([refusal('a-fox', 'host'), notProvisioned], 0, 50)
    assert.deepEqual(await stored(), ['notProvisioned'])
    await stores.resources.provision('a-fox', [], NOW + 1)
    await stores.refusals.add([refusal('a-fox', 'host')], 0, 50)
    assert.deepEqual(await stored(), ['notProvisioned'], 'still of the former one')
    await stores.refusals.add([refusal('a-fox', 'host', NOW + 1)], 0, 50)
    assert.deepEqual(await stored(), ['invalidRedirectUri', 'notProvisioned'])
  })

  test(`[${engine}] instances that write the same kinds of refusals in opposite orders count all of them`, {
    skip: slow,
  }, async (t) => {
    const { stores, profile, database } = await openTestStorage(t, engine)
    await create(stores, profile)
    const kinds = TENANTS.flatMap((id) => PARTS.map((differs) => refusal(id, differs)))
    const reversed = [...kinds].reverse()
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        [kinds, reversed, kinds, reversed].map((batch) => stores.refusals.add(batch, 0, 50)),
      )
    }
    for (const id of TENANTS) {
      assert.deepEqual(
        (await stores.refusals.list(id, 0, 50)).map(({ count }) => count),
        PARTS.map(() => 40),
      )
    }
    if (engine === 'sqlite') {
      return
    }
    const deadlocks =
      'select deadlocks::int from pg_stat_database where datname = current_database()'
    assert.deepEqual(await raw(database, deadlocks), [{ deadlocks: 0 }])
  })

  // proves S052
  test(`[${engine}] a tenant has only so many kinds of refusals: the oldest make room, those of others stay`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await create(stores, profile)
    await stores.refusals.add([refusal('b-fox', 'host', NOW - 1)], 0, 3)
    await stores.refusals.add(
      PARTS.map((differs, at) => refusal('a-fox', differs, NOW + at)),
      0,
      3,
    )
    assert.deepEqual(
      (await stores.refusals.list('a-fox', 0, 50)).map(({ differs }) => differs),
      ['query', 'path', 'port'],
    )
    assert.equal((await stores.refusals.list('b-fox', 0, 50)).length, 1)
  })
}
