import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { TenantDirectory } from './tenant-directory.ts'

const NOW = 1_800_000_000_000
const ID = 'swift-fox-running-k3qd7'
const GUEST = { id: ID, expiresAt: NOW + 60_000, pausedAt: null, suspension: null } as Tenant
const code = (expected: string) => (error: unknown) =>
  (error as { code?: string }).code === expected

/** A directory over a database with one tenant. The first queries wait for `queries`. */
function scene(stored: { tenant: Tenant | null; provisioned?: boolean }) {
  let now = NOW
  let count = 0
  const queries: PromiseWithResolvers<void>[] = []
  const stores = {
    tenants: {
      async find() {
        const { tenant } = stored
        await queries[count++]?.promise
        return tenant
      },
    },
    resources: {
      findActive: async () =>
        stored.provisioned === false ? null : { callbackUrls: [], idTokens: null },
    },
  }
  const directory = new TenantDirectory(stores as unknown as Stores, () => now)
  /** How many queries this needed. */
  const queriesOf = async (read: () => Promise<unknown>): Promise<number> => {
    const before = count
    await read().catch(() => undefined)
    return count - before
  }
  const advance = (ms: number): void => {
    now += ms
  }
  return {
    directory,
    stored,
    queries,
    queriesOf,
    advance,
    use: () => directory.requireProvisioned(ID),
  }
}

test('a tenant is read from the database once in ten seconds, and again after a change', async () => {
  const { directory, queriesOf, advance, use } = scene({ tenant: { ...GUEST, expiresAt: null } })
  assert.equal(await queriesOf(use), 1)
  advance(9_999)
  assert.equal(await queriesOf(use), 0)
  advance(1)
  assert.equal(await queriesOf(use), 1)
  directory.invalidate(ID)
  assert.equal(await queriesOf(use), 1)
  directory.clear()
  assert.equal(await queriesOf(use), 1)
})

test('a refresh uses a tenant however old, unless it has expired, and reads one that is not cached', async () => {
  const { directory, queriesOf, advance } = scene({ tenant: GUEST })
  const refresh = () => directory.lastKnown(ID)
  assert.equal(await queriesOf(refresh), 1)
  advance(59_999)
  assert.equal(await queriesOf(refresh), 0)
  assert.equal((await refresh()).tenant, GUEST)
  advance(1)
  await assert.rejects(refresh, code('tenantExpired'))
})

test('at most 50,000 tenants are cached: before the next one, all are forgotten', async () => {
  const { directory, queriesOf } = scene({ tenant: { ...GUEST, expiresAt: null } })
  const use = (index: number) => () => directory.requireProvisioned(`swift-fox-running-${index}`)
  for (let index = 0; index < 50_000; index++) {
    await use(index)()
  }
  assert.deepEqual([await queriesOf(use(0)), await queriesOf(use(49_999))], [0, 0])
  await use(50_000)()
  assert.deepEqual([await queriesOf(use(0)), await queriesOf(use(50_000))], [1, 0])
})

test('a guest is cached until it expires', async () => {
  const { queriesOf, advance, use } = scene({ tenant: { ...GUEST, expiresAt: NOW + 5_000 } })
  assert.equal(await queriesOf(use), 1)
  advance(4_999)
  assert.equal(await queriesOf(use), 0)
  advance(1)
  await assert.rejects(use, code('tenantExpired'))
})

test('a tenant that is paused, suspended, unknown or without social login is read each time', async () => {
  const cases = [
    ['tenantPaused', { tenant: { ...GUEST, pausedAt: NOW } }],
    ['tenantSuspended', { tenant: { ...GUEST, suspension: { at: NOW, reason: '' } } }],
    ['tenantNotFound', { tenant: null }],
    ['notProvisioned', { tenant: GUEST, provisioned: false }],
  ] as const
  for (const [expected, stored] of cases) {
    const { queriesOf, use } = scene(stored)
    await assert.rejects(use, code(expected))
    assert.equal(await queriesOf(use), 1, expected)
  }
})

test('requests at the same time share a query, but none that began before a change, whose result is not cached', async () => {
  for (const change of ['invalidate', 'clear'] as const) {
    const { directory, queries, stored, queriesOf, use } = scene({ tenant: GUEST })
    const held = Promise.withResolvers<void>()
    queries.push(held, Promise.withResolvers<void>())
    const before = [use(), use()]
    directory[change](ID)
    stored.tenant = { ...GUEST, expiresAt: null }
    const after = [use()]
    held.resolve()
    for (const { tenant } of await Promise.all(before)) {
      assert.equal(tenant, GUEST)
    }
    assert.equal(
      await queriesOf(async () => void after.push(use())),
      0,
      'it shares the query after the change',
    )
    queries[1]?.resolve()
    for (const { tenant } of await Promise.all(after)) {
      assert.equal(tenant, stored.tenant)
    }
    assert.equal(await queriesOf(use), 0)
    assert.equal((await use()).tenant, stored.tenant)
  }
})
