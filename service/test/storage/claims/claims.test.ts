import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS, USER_MESSAGES } from '@gatehouse-auth/contract'
import type { NewClaim } from '../../../src/domain/claims/claim.ts'
import { Revocations } from '../../../src/domain/revocation/revocations.ts'
import { ACCESS_TOKEN_MS } from '../../../src/domain/sessions/session.ts'
import type { Stores } from '../../../src/domain/stores/stores.ts'
import { GUEST_LIFETIME_MS } from '../../../src/domain/tenants/tenant.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  guest,
  HOUR_MS,
  NOW,
  openTestStorage,
} from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

const MARGIN_MS = 120_000
const END = NOW + GUEST_LIFETIME_MS

const newClaim = (changes: Partial<NewClaim> = {}): NewClaim => ({
  tenantId: 'one-two',
  confirmationCode: 'ABC234',
  createdAt: NOW,
  expiresAt: NOW + HOUR_MS / 2,
  ...changes,
})

class AlreadyDecided extends Error {}

/** An approval: decides the claim and sets the owner in one transaction. */
const approve = async (
  stores: Stores,
  claimId: number,
  accountId: number,
  now: number,
): Promise<boolean> => {
  try {
    await stores.transaction(async (open) => {
      if (!(await open.claims.decide(claimId, 'approved', accountId, now))) {
        throw new AlreadyDecided()
      }
      if (!(await open.ownership.claim('one-two', accountId, now))) {
        throw new AlreadyDecided()
      }
    })
    return true
  } catch (error) {
    if (error instanceof AlreadyDecided) {
      return false
    }
    throw error
  }
}

for (const engine of ENGINES) {
  test(`[${engine}] a claim sets the owner, clears expiry and pause, and publishes a revocation`, async (t) => {
    const { stores, profile, published } = await openTestStorage(t, engine)
    const ada = await stores.accounts.signIn(googleProfile('ada'), NOW)
    const tenant = guest('one-two', profile)
    await stores.tenants.create(tenant, [])
    await stores.tenants.pause('one-two', 'lifetime_events', NOW + 1)

    assert.equal(await stores.ownership.claim('one-two', ada.id, NOW + 2), true)
    const claimed = {
      ...tenant,
      expiresAt: null,
      claimedAt: NOW + 2,
      owner: { accountId: ada.id, tier: 'free' },
    }
    assert.deepEqual(await stores.tenants.find('one-two'), claimed)
    assert.deepEqual(await stores.ownership.ownedBy(ada.id), [{ ...claimed, name: null }])
    assert.deepEqual(published.at(-1), {
      revocations: [{ kind: 'tenant-claimed', tenantId: 'one-two', until: tenant.expiresAt }],
      changedTenants: ['one-two'],
      // What has waited while the tenant was paused.
      deliverable: [{ tenantId: 'one-two', kinds: [...AUTH_EVENT_KINDS, ...USER_MESSAGES] }],
    })

    const eve = await stores.accounts.signIn(googleProfile('eve'), NOW)
    assert.equal(await stores.ownership.claim('one-two', eve.id, NOW + 3), false)
    assert.equal(await stores.ownership.claim('unknown', eve.id, NOW + 3), false)
    assert.equal(await stores.tenants.pause('one-two', 'stored_users', NOW + 3), false)
    assert.deepEqual(await stores.tenants.find('one-two'), claimed)
    assert.equal(published.length, 2, 'nothing else was published')
  })

  test(`[${engine}] a claim succeeds until the last millisecond before the expiry, and never for an ended tenant`, async (t) => {
    const { stores, profile, revocations } = await openTestStorage(t, engine)
    const { id } = await stores.accounts.signIn(googleProfile('ada'), NOW)
    for (const each of ['in-time', 'too-late', 'ended']) {
      await stores.tenants.create(guest(each, profile), [])
    }
    await stores.ownership.end('ended', NOW + 1)

    assert.equal(await stores.ownership.claim('in-time', id, END - 1), true)
    assert.equal(await stores.ownership.claim('too-late', id, END), false)
    assert.equal(await stores.ownership.claim('too-late', id, END + 1), false)
    assert.equal(await stores.ownership.claim('ended', id, NOW + 1), false)
    assert.equal(await stores.ownership.claim('ended', id, NOW), false)
    const until = END - 1 + ACCESS_TOKEN_MS + MARGIN_MS
    assert.deepEqual(revocations(), [{ kind: 'tenant-claimed', tenantId: 'in-time', until }])
  })

  test(`[${engine}] a claimed tenant is never treated as paused, whenever an instance starts`, {
    skip: engine === 'postgres' && slow,
  }, async (t) => {
    for (const claimedAt of [NOW + 2, END - 3 * HOUR_MS, END - 1]) {
      const { stores, profile, database } = await openTestStorage(t, engine)
      const { id } = await stores.accounts.signIn(googleProfile('ada'), NOW)
      await stores.tenants.create(guest('one-two', profile), [])
      await stores.tenants.pause('one-two', 'stored_users', NOW + 1)
      await stores.ownership.claim('one-two', id, claimedAt)

      for (const now of [claimedAt, END - 1, END, END + HOUR_MS]) {
        const started = await openTestStorage(t, engine, { database, now })
        await started.storage.follow()
        const revocations = new Revocations()
        for (const revocation of started.revocations()) {
          revocations.apply(revocation)
        }
        assert.equal(revocations.isPaused('one-two'), false)
        await started.close()
      }
    }
  })

  test(`[${engine}] of 20 concurrent approvals by two accounts on two instances, one succeeds and owns the tenant`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const accounts = [
      await one.stores.accounts.signIn(googleProfile('ada'), NOW),
      await one.stores.accounts.signIn(googleProfile('eve'), NOW),
    ]
    await one.stores.tenants.create(guest('one-two', one.profile), [])
    const claim = await one.stores.claims.open(newClaim(), 'token', 'wait')

    const approvals = Array.from({ length: 20 }, (_, index) => {
      const accountId = (accounts[index % 2] as { id: number }).id
      const { stores } = index % 4 < 2 ? one : two
      return approve(stores, claim.id, accountId, NOW + 1).then((won) => (won ? accountId : null))
    })
    const winners = (await Promise.all(approvals)).filter((each) => each !== null)
    assert.equal(winners.length, 1)
    assert.equal((await two.stores.tenants.find('one-two'))?.owner?.accountId, winners[0])
    assert.equal((await two.stores.claims.findByToken(['token']))?.decision, 'approved')
    assert.equal(one.revocations().length + two.revocations().length, 1)
  })

  test(`[${engine}] a tenant that is ended and claimed at the same time has ended`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const { id } = await one.stores.accounts.signIn(googleProfile('ada'), NOW)
    const names = Array.from({ length: 15 }, (_, index) => `race-${index}`)
    for (const name of names) {
      await one.stores.tenants.create(guest(name, one.profile), [])
    }
    await Promise.all(
      names.map(async (name) => {
        const [claimed, ended] = await Promise.all([
          one.stores.ownership.claim(name, id, NOW + 1),
          two.stores.ownership.end(name, NOW + 2),
        ])
        const tenant = await two.stores.tenants.find(name)
        assert.equal(ended, true)
        assert.equal(tenant?.expiresAt, NOW + 2)
        assert.equal(tenant?.claimedAt, claimed ? NOW + 1 : null)
      }),
    )
    assert.deepEqual(await one.stores.ownership.ownedBy(id), [])
  })

  test(`[${engine}] a claim is found only by its link and its wait token`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const claim = await stores.claims.open(newClaim(), 'token', 'wait')
    const undecided = { decision: 'pending', decidedAt: null, decidedBy: null, decisionHash: null }
    assert.deepEqual(claim, { ...newClaim(), ...undecided, id: claim.id })
    assert.deepEqual(await stores.claims.findByToken(['other', 'token']), claim)
    assert.deepEqual(await stores.claims.findByWaitToken(['wait']), claim)
    for (const hashes of [[], ['wait'], ['other']]) {
      assert.equal(await stores.claims.findByToken(hashes), null)
    }
    for (const hashes of [[], ['token'], ['other']]) {
      assert.equal(await stores.claims.findByWaitToken(hashes), null)
    }
    assert.deepEqual(published, [{ revocations: [], changedTenants: ['one-two'], deliverable: [] }])
  })

  test(`[${engine}] a claim is decided once, before it expires, and wakes long polls`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const { id, expiresAt } = await stores.claims.open(newClaim(), 'token', 'wait')
    published.length = 0
    assert.equal(await stores.claims.decide(id, 'approved', 1, expiresAt), false)
    assert.equal(await stores.claims.decide(id, 'approved', 1, expiresAt + 1), false)
    assert.equal((await stores.claims.findByToken(['token']))?.decision, 'pending')
    assert.deepEqual(published, [])

    assert.equal(await stores.claims.decide(id, 'denied', 1, expiresAt - 1), true)
    assert.equal(await stores.claims.decide(id, 'approved', 2, expiresAt - 1), false)
    assert.equal(await stores.claims.decide(id + 1, 'approved', 2, NOW), false)
    assert.equal((await stores.claims.findByWaitToken(['wait']))?.decision, 'denied')
    assert.deepEqual(published, [{ revocations: [], changedTenants: ['one-two'], deliverable: [] }])
  })

  test(`[${engine}] a new claim supersedes the pending one, which can no longer be approved`, async (t) => {
    const { stores, published } = await openTestStorage(t, engine)
    const first = await stores.claims.open(newClaim(), 'token-1', 'wait-1')
    const elsewhere = await stores.claims.open(
      newClaim({ tenantId: 'three-four' }),
      'token-x',
      'wait-x',
    )
    published.length = 0
    const second = await stores.claims.open(newClaim(), 'token-2', 'wait-2')
    assert.deepEqual(published, [{ revocations: [], changedTenants: ['one-two'], deliverable: [] }])
    assert.equal((await stores.claims.findByWaitToken(['wait-1']))?.decision, 'superseded')
    assert.equal(await stores.claims.decide(first.id, 'approved', 1, NOW + 1), false)
    assert.equal(await stores.claims.decide(second.id, 'denied', 1, NOW + 1), true)
    await stores.claims.open(newClaim(), 'token-3', 'wait-3')
    assert.equal(
      (await stores.claims.findByToken(['token-2']))?.decision,
      'denied',
      'a decided claim is not superseded',
    )

    await stores.claims.removeByTenant('one-two')
    assert.equal(await stores.claims.findByToken(['token-1', 'token-2', 'token-3']), null)
    assert.equal((await stores.claims.findByToken(['token-x']))?.id, elsewhere.id)
  })

  test(`[${engine}] an expired link is kept for an hour, until a newer one deletes it`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { expiresAt } = await stores.claims.open(newClaim(), 'token-1', 'wait-1')
    const openAt = (createdAt: number, number: number) =>
      stores.claims.open(
        newClaim({ createdAt, expiresAt: createdAt + 1 }),
        `token-${number}`,
        `wait-${number}`,
      )
    await openAt(expiresAt + HOUR_MS, 2)
    assert.equal((await stores.claims.findByToken(['token-1']))?.decision, 'superseded')
    await openAt(expiresAt + HOUR_MS + 1, 3)
    assert.equal(await stores.claims.findByToken(['token-1']), null)
    assert.notEqual(await stores.claims.findByToken(['token-2']), null)
  })

  test(`[${engine}] of 20 concurrent claims of one tenant on two instances, one stays pending`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? one : two).stores.claims.open(
          newClaim(),
          `token-${index}`,
          `wait-${index}`,
        ),
      ),
    )
    const decisions: (string | undefined)[] = []
    for (let index = 0; index < 20; index += 1) {
      decisions.push((await one.stores.claims.findByToken([`token-${index}`]))?.decision)
    }
    assert.equal(decisions.filter((each) => each === 'pending').length, 1)
    assert.equal(decisions.filter((each) => each === 'superseded').length, 19)
  })
}
