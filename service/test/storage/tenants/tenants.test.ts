import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, emptyUnicodePostgres } from '../../support/postgres/engines.ts'
import { googleProfile, guest, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'

const keys = [
  { kind: 'management', hash: 'hash-of-management' },
  { kind: 'application', hash: 'hash-of-application' },
] as const

for (const engine of ENGINES) {
  test(`[${engine}] a tenant is found only by its id and its keys`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    const tenant = guest('one-two', profile)
    await stores.tenants.create(tenant, keys)

    assert.deepEqual(await stores.tenants.find('one-two'), tenant)
    assert.equal(await stores.tenants.find('one-three'), null)
    for (const { kind, hash } of keys) {
      assert.deepEqual(await stores.tenants.findByKey(['unknown', hash], NOW), {
        tenant,
        kind,
        issuedToOwner: false,
        id: hash.slice(0, 8),
        hash,
        lastUsedAt: null,
      })
    }
    assert.equal(await stores.tenants.findByKey(['unknown'], NOW), null)
    assert.equal(await stores.tenants.findByKey([], NOW), null)
  })

  test(`[${engine}] the search of the operator ignores the case of ASCII letters only, so that no address finds another one`, async (t) => {
    const database = {
      engine: 'postgres',
      url: engine === 'postgres' ? await emptyUnicodePostgres() : '',
    } as const
    const { stores, profile } = await openTestStorage(
      t,
      engine,
      engine === 'postgres' ? { database } : {},
    )
    const emails = ['mark@example.com', 'mar\u212a@example.com', 'JÖRG@example.com']
    for (const [index, email] of emails.entries()) {
      const account = await stores.accounts.signIn(googleProfile(`owner-${index}`, { email }), NOW)
      await stores.tenants.create(guest(`owned-${index}`, profile), [])
      await stores.ownership.claim(`owned-${index}`, account.id, NOW)
    }
    const find = async (text: string) =>
      (await stores.moderation.search({ text, after: '', limit: 10 })).map(({ id }) => id)
    for (const [index, email] of emails.entries()) {
      assert.deepEqual(await find(email), [`owned-${index}`], email)
    }
    assert.deepEqual(await find('MARK@EXAMPLE'), ['owned-0'])
    assert.deepEqual(await find('jÖrg@'), ['owned-2'])
    assert.deepEqual(await find('jörg@'), [])
    assert.deepEqual(await find('Owned-'), ['owned-0', 'owned-1', 'owned-2'])
  })

  test(`[${engine}] a replaced key works until its expiry`, async (t) => {
    const { stores, profile, database } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), keys)
    await raw(
      database,
      `update tenant_keys set expires_at = ${NOW + 1_000} where kind = 'management'`,
    )

    assert.equal(
      (await stores.tenants.findByKey(['hash-of-management'], NOW + 999))?.kind,
      'management',
    )
    assert.equal(await stores.tenants.findByKey(['hash-of-management'], NOW + 1_000), null)
  })

  test(`[${engine}] the last use of a key is written only if none was since the given time`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), keys)
    await stores.tenants.create(guest('three-four', profile), [
      { kind: 'management', hash: 'other' },
    ])
    const [management, application] = keys
    const used = async () =>
      (await stores.tenants.listKeys('one-two', NOW)).map(({ kind, lastUsedAt }) => [
        kind,
        lastUsedAt,
      ])
    await stores.tenants.touchKeys([management.hash], NOW, NOW - 1_000)
    assert.deepEqual(await used(), [
      ['management', NOW],
      ['application', null],
    ])
    await stores.tenants.touchKeys([management.hash, application.hash], NOW + 500, NOW - 500)
    assert.deepEqual(await used(), [
      ['management', NOW],
      ['application', NOW + 500],
    ])
    await stores.tenants.touchKeys([management.hash], NOW + 1_000, NOW)
    assert.equal((await stores.tenants.findByKey([management.hash], NOW))?.lastUsedAt, NOW + 1_000)
    assert.equal((await stores.tenants.findByKey(['other'], NOW))?.lastUsedAt, null)
  })

  test(`[${engine}] the keys of a tenant are listed without expired ones, those that were not replaced first`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), keys)
    await stores.ownership.replaceKeys(
      'one-two',
      [{ kind: 'management', hash: 'hash-new-management' }],
      NOW + 100,
      NOW,
    )
    const listed = async (now: number) =>
      (await stores.tenants.listKeys('one-two', now)).map(({ kind, expiresAt, issuedToOwner }) => [
        kind,
        expiresAt,
        issuedToOwner,
      ])
    assert.deepEqual(await listed(NOW), [
      ['management', null, true],
      ['management', NOW + 100, false],
      ['application', NOW + 100, false],
    ])
    assert.deepEqual(await listed(NOW + 100), [['management', null, true]])
    assert.deepEqual(await stores.tenants.listKeys('three-four', NOW), [])
  })

  test(`[${engine}] a tenant whose second key cannot be stored is not stored at all`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), keys)
    await assert.rejects(stores.tenants.create(guest('three-four', profile), keys))
    assert.equal(await stores.tenants.find('three-four'), null)
  })

  test(`[${engine}] a claimed tenant has its owner's tier`, async (t) => {
    const { stores, profile, database } = await openTestStorage(t, engine)
    await raw(
      database,
      `insert into accounts (issuer, subject, email, tier, created_at, last_seen) values ('i', 's', 'e', 'plus', 1, 1)`,
    )
    const owned = guest('one-two', profile, {
      expiresAt: null,
      claimedAt: NOW,
      owner: { accountId: 1, tier: 'plus' },
    })
    await stores.tenants.create(owned, keys)
    assert.deepEqual(await stores.tenants.find('one-two'), owned)
  })

  test(`[${engine}] a guest is paused once, with a revocation until it expires; a claimed tenant never`, async (t) => {
    const { stores, profile, revocations } = await openTestStorage(t, engine)
    const tenant = guest('one-two', profile)
    await stores.tenants.create(tenant, keys)
    await stores.tenants.create(guest('owned', profile, { expiresAt: null, claimedAt: NOW }), [])

    assert.equal(await stores.tenants.pause('one-two', 'lifetime_events', NOW + 5), true)
    assert.equal(await stores.tenants.pause('one-two', 'stored_users', NOW + 6), false)
    assert.equal(await stores.tenants.pause('owned', 'stored_users', NOW + 6), false)
    assert.equal(await stores.tenants.pause('unknown', 'stored_users', NOW + 6), false)
    const { pausedAt, pauseReason } = (await stores.tenants.find('one-two')) ?? {}
    assert.deepEqual(
      { pausedAt, pauseReason },
      { pausedAt: NOW + 5, pauseReason: 'lifetime_events' },
    )
    assert.deepEqual(revocations(), [
      { kind: 'tenant-paused', tenantId: 'one-two', until: tenant.expiresAt },
    ])
  })

  test(`[${engine}] an edge session is found until it expires, and then swept`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    for (const [index, expiresAt] of [NOW + 10, NOW + 20, NOW + 30].entries()) {
      await stores.edgeSessions.add(`hash-${index}`, 'one-two', expiresAt)
    }
    const found = { tenantId: 'one-two', expiresAt: NOW + 10 }
    assert.deepEqual(await stores.edgeSessions.find(['other', 'hash-0'], NOW + 9), found)
    assert.equal(await stores.edgeSessions.find(['hash-0'], NOW + 10), null)
    assert.equal(await stores.edgeSessions.sweep(NOW + 25, 1), 1)
    assert.equal(await stores.edgeSessions.sweep(NOW + 25, 10), 1)
    assert.equal(await stores.edgeSessions.sweep(NOW + 25, 10), 0)
    assert.notEqual(await stores.edgeSessions.find(['hash-2'], NOW), null)
  })

  test(`[${engine}] a key id is stored with one check`, async (t) => {
    const { storage } = await openTestStorage(t, engine)
    await storage.keyChecks.add('k2', 'check-2')
    await storage.keyChecks.add('k1', 'check-1')
    await storage.keyChecks.add('k1', 'check-1')
    await assert.rejects(
      storage.keyChecks.add('k1', 'another'),
      /key id k1 belongs to another master key/,
    )
    assert.deepEqual(await storage.keyChecks.list(), [
      { kid: 'k1', check: 'check-1' },
      { kid: 'k2', check: 'check-2' },
    ])
  })
}
