import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counter } from '../../../src/domain/limits/counter.ts'
import { ATTEMPT_LIFETIME_MS, type Attempt } from '../../../src/domain/login/attempt.ts'
import { ENGINES, emptyUnicodePostgres } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  NOW,
  openTestStorage,
  raw,
  startedAttempt,
} from '../../support/postgres/storage.ts'

const keys = [
  { kind: 'management', hash: 'hash-of-management' },
  { kind: 'application', hash: 'hash-of-application' },
] as const

const attempt = (changes: Partial<Attempt> = {}): Attempt =>
  startedAttempt('one-two', { returnTo: '/dash?x=1', ...changes })

const minute: Counter = { scope: 'tenant:one-two', window: 'minute', start: NOW }
const users: Counter = { scope: 'tenant:one-two', window: 'users', start: 0 }

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

  test(`[${engine}] a login is started, returned, identified and decided, each once`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const started = attempt()
    await attempts.add(started)
    assert.deepEqual(await attempts.find('attempt-1', NOW), started)
    assert.equal(
      await attempts.decide(attempt(), 'authorize', NOW),
      false,
      'it has not returned yet',
    )
    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('ada'), hostedDomain: '', remember: false },
        NOW,
      ),
      false,
    )

    assert.deepEqual(await attempts.take('attempt-1', NOW), { ...started, stage: 'returned' })
    assert.equal(await attempts.take('attempt-1', NOW), null)

    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('ada'), hostedDomain: 'example.com', remember: true },
        NOW,
      ),
      true,
    )
    assert.equal(
      await attempts.identify(
        attempt(),
        { profile: googleProfile('eve'), hostedDomain: '', remember: false },
        NOW,
      ),
      false,
    )
    const known = { profile: googleProfile('ada'), hostedDomain: 'example.com' }
    const identified: Attempt = { ...started, stage: 'identified', remember: true, ...known }
    assert.deepEqual(await attempts.find('attempt-1', NOW), identified)

    assert.equal(await attempts.decide(attempt(), 'authorize', NOW), true)
    assert.equal(await attempts.decide(attempt(), 'authorize', NOW), false)
    await attempts.setSession(attempt(), 7)
    const decision = { outcome: 'authorize', at: NOW, sessionId: 7 }
    const decided = { ...started, stage: 'decided', remember: true, decision }
    assert.deepEqual(await attempts.find('attempt-1', NOW), decided, 'the profile is erased')
  })

  test(`[${engine}] an identified login starts again with another id and without the profile; a decided one does not`, async (t) => {
    const { attempts } = (await openTestStorage(t, engine)).stores
    const profile = googleProfile('ada')
    await attempts.add(attempt({ stage: 'identified', profile, remember: true, chooser: false }))
    const restarted = { id: 'attempt-2', createdAt: NOW + 5, expiresAt: NOW + 6 }
    assert.equal(await attempts.restart(attempt(), restarted), true)
    assert.equal(await attempts.find('attempt-1', NOW), null)
    assert.deepEqual(await attempts.find('attempt-2', NOW), { ...attempt(), ...restarted })
    assert.equal(await attempts.restart(attempt(), restarted), false)
    assert.equal(
      await attempts.restart(attempt({ id: 'attempt-2' }), { ...restarted, id: 'attempt-3' }),
      false,
    )
    await attempts.add(attempt({ id: 'attempt-4', stage: 'decided' }))
    assert.equal(
      await attempts.restart(attempt({ id: 'attempt-4' }), { ...restarted, id: 'attempt-5' }),
      false,
    )
  })

  test(`[${engine}] a login that failed at the provider is decided without a profile`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    await stores.attempts.add(attempt())
    await stores.attempts.take('attempt-1', NOW)
    assert.equal(await stores.attempts.decide(attempt(), 'login_failed', NOW), true)
    const decision = { outcome: 'login_failed', at: NOW, sessionId: null } as const
    assert.deepEqual(
      await stores.attempts.find('attempt-1', NOW),
      attempt({ stage: 'decided', decision }),
    )
  })

  test(`[${engine}] of 20 concurrent decisions of one login, exactly one succeeds`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    await stores.attempts.add(attempt({ stage: 'identified', profile: googleProfile('ada') }))
    const decided = await Promise.all(
      Array.from({ length: 20 }, () => stores.attempts.decide(attempt(), 'authorize', NOW)),
    )
    assert.deepEqual(
      decided.filter((each) => each),
      [true],
    )
  })

  test(`[${engine}] an expired login is neither found nor taken, and is swept`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const late = NOW + ATTEMPT_LIFETIME_MS
    await attempts.add(attempt())
    await attempts.add(attempt({ id: 'attempt-2', stage: 'returned' }))
    await attempts.add(
      attempt({ id: 'attempt-3', stage: 'identified', profile: googleProfile('ada') }),
    )
    assert.equal(await attempts.find('attempt-1', late), null)
    assert.equal(await attempts.take('attempt-1', late), null)
    assert.equal(
      await attempts.identify(
        attempt({ id: 'attempt-2' }),
        { profile: googleProfile('ada'), hostedDomain: '', remember: false },
        late,
      ),
      false,
    )
    assert.equal(await attempts.decide(attempt({ id: 'attempt-3' }), 'authorize', late), false)
    assert.equal(await attempts.sweep(late - 1, 10), 0)
    assert.equal(await attempts.sweep(late, 2), 2)
    assert.equal(await attempts.sweep(late, 2), 1)
  })

  test(`[${engine}] the newest undecided login of the same start is found again`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { attempts } = stores
    const newest = attempt({ id: 'newest', createdAt: NOW + 5 })
    for (const each of [
      attempt({ id: 'older' }),
      newest,
      attempt({ id: 'decided', createdAt: NOW + 9, stage: 'decided' }),
      attempt({ id: 'other-challenge', createdAt: NOW + 9, challenge: 'c'.repeat(43) }),
      attempt({ id: 'other-browser', createdAt: NOW + 9, browserHash: 'browser-2' }),
      attempt({ id: 'other-tenant', createdAt: NOW + 9, tenantId: 'three-four' }),
      attempt({
        id: 'elsewhere',
        createdAt: NOW + 9,
        redirectUri: 'https://app.example.com/other',
      }),
      attempt({ id: 'no-return', createdAt: NOW + 9, returnTo: null }),
      attempt({ id: 'link', createdAt: NOW + 9, linkSessionId: 1 }),
    ]) {
      await attempts.add(each)
    }
    assert.deepEqual(await attempts.findUndecided(newest, NOW), newest)
    assert.equal(
      (await attempts.findUndecided({ ...newest, returnTo: null }, NOW))?.id,
      'no-return',
    )
    assert.equal(
      (await attempts.findUndecided({ ...newest, challenge: 'c'.repeat(43) }, NOW))?.id,
      'other-challenge',
    )
    assert.equal(await attempts.findUndecided(newest, NOW + 6), null)
    for (const stage of ['returned', 'identified'] as const) {
      await attempts.add(attempt({ id: stage, createdAt: NOW + 7, stage }))
      assert.equal((await attempts.findUndecided(newest, NOW + 6))?.id, stage)
      await attempts.removeByTenant('one-two')
    }

    assert.equal(await attempts.find('newest', NOW), null)
    assert.equal((await attempts.find('other-tenant', NOW))?.id, 'other-tenant')
  })

  test(`[${engine}] a counter never exceeds its limit`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    assert.equal(await counters.spend(minute, 1, 3), 1)
    assert.equal(await counters.spend(minute, 2, 3), 3)
    assert.equal(await counters.spend(minute, 1, 3), null)
    assert.equal(await counters.spend(users, 1, 0), null, 'the first charge is over the limit too')
    assert.equal(await counters.spend(users, 5, 4), null)
    assert.equal(await counters.spend(users, 1_000_000, null), 1_000_000)
    assert.equal(await counters.spend(users, 1, null), 1_000_001)
    assert.equal(await counters.remove({ ...minute, start: NOW + 60_000 }), 0)
    assert.equal(await counters.remove(minute), 3)
  })

  test(`[${engine}] a released charge can be spent again, and a counter never goes below zero`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    await counters.spend(minute, 3, 3)
    await counters.release(minute, 1)
    assert.equal(await counters.spend(minute, 1, 3), 3)
    await counters.release(minute, 10)
    await counters.release(users, 10)
    assert.deepEqual([await counters.remove(minute), await counters.remove(users)], [0, 0])
    await counters.spend(users, 4, null)
    assert.deepEqual([await counters.remove(users), await counters.remove(users)], [4, 0])
  })

  test(`[${engine}] of 50 concurrent charges with a limit of 5, exactly 5 succeed with distinct values`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const spent = await Promise.all(
      Array.from({ length: 50 }, () => stores.counters.spend(minute, 1, 5)),
    )
    assert.deepEqual(spent.filter((used) => used !== null).sort(), [1, 2, 3, 4, 5])
  })

  test(`[${engine}] old minute counters are swept; others stay`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { counters } = stores
    const ids: Counter = { ...users, window: 'user-ids' }
    const later: Counter = { ...minute, start: NOW + 60_000 }
    const elsewhere: Counter = { ...users, scope: 'guests:203.0.113.0' }
    for (const each of [minute, { ...minute, start: NOW - 60_000 }, later, ids, users, elsewhere]) {
      await counters.spend(each, 1, null)
    }
    assert.equal(await counters.sweep(NOW + 60_000, 1), 1)
    assert.equal(await counters.sweep(NOW + 60_000, 10), 1)
    assert.equal(await counters.sweep(NOW + 60_000, 10), 0)
    const left = [minute, later, ids, users, elsewhere].map((each) => counters.remove(each))
    assert.deepEqual(await Promise.all(left), [0, 1, 1, 1, 1])
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
