import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_SESSION_MS, type AccountSignIn } from '../../../src/domain/accounts/account.ts'
import type { AccountId } from '../../../src/domain/ids.ts'
import type { NewAccountSession } from '../../../src/domain/stores/stores.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  googleProfile,
  HOUR_MS,
  NOW,
  openTestStorage,
  raw,
} from '../../support/postgres/storage.ts'

const signIn: AccountSignIn = {
  id: 'account_1',
  browserHash: 'browser',
  next: '/claim/x?y=1',
  tested: { tenantId: 'one-two', id: 'pc_1' },
  createdAt: NOW,
  expiresAt: NOW + HOUR_MS,
}

const session = (
  hash: string,
  accountId: AccountId,
  createdAt: number,
  expiresAt: number,
): NewAccountSession => ({
  hash,
  accountId,
  device: 'Firefox on Linux',
  createdAt,
  expiresAt,
})

for (const engine of ENGINES) {
  test(`[${engine}] an identity has one account; a sign-in updates its email address and name, not its tier`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { accounts } = stores
    const ada = await accounts.signIn(googleProfile('ada'), NOW)
    assert.deepEqual(ada, {
      id: ada.id,
      email: 'ada@example.com',
      name: 'ada',
      tier: 'free',
      projectLimit: 100,
      createdAt: NOW,
    })
    await accounts.setTier(ada.id, 'plus')
    await accounts.setProjectLimit(ada.id, 7)

    const moved = await accounts.signIn(
      googleProfile('ada', { email: 'ada@new.example', name: null }),
      NOW + 5,
    )
    assert.deepEqual(moved, {
      ...ada,
      email: 'ada@new.example',
      name: null,
      tier: 'plus',
      projectLimit: 7,
    })
    assert.deepEqual(await accounts.find(ada.id), moved)
    assert.equal(await accounts.find(ada.id + 100), null)
    assert.equal(
      (await raw(database, `select id from accounts where last_seen = ${NOW + 5}`)).length,
      1,
    )

    const elsewhere = await accounts.signIn(
      googleProfile('ada', { issuer: 'https://other.example' }),
      NOW,
    )
    assert.notEqual(elsewhere.id, ada.id)
  })

  test(`[${engine}] ten concurrent first sign-ins on two instances create one account`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).stores.transaction((open) =>
          open.accounts.signIn(googleProfile('ada'), NOW),
        ),
      ),
    )
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  })

  test(`[${engine}] accounts are found by email address in any case, all that share it`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { accounts } = stores
    const ada = await accounts.signIn(googleProfile('ada', { email: 'Ada@Example.com' }), NOW)
    const heir = await accounts.signIn(googleProfile('heir', { email: 'ada@example.com' }), NOW)
    await accounts.signIn(googleProfile('eve'), NOW)
    assert.deepEqual(await accounts.findByEmail('ADA@example.com'), [ada, heir])
    assert.deepEqual(await accounts.findByEmail('ada@example'), [])
    assert.deepEqual(await accounts.findByEmail('%'), [])
    await accounts.signIn(googleProfile('kelvin', { email: '\u{212a}elvin@example.com' }), NOW)
    assert.deepEqual(
      await accounts.findByEmail('kelvin@example.com'),
      [],
      'the Kelvin sign is another letter',
    )
  })

  test(`[${engine}] an account session is found by its hash until it expires, and slides when used`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { accountSessions } = stores
    const account = await stores.accounts.signIn(googleProfile('ada'), NOW)
    await accountSessions.add(session('hash', account.id, NOW, NOW + ACCOUNT_SESSION_MS))
    const found = await accountSessions.find(['other', 'hash'], NOW)
    assert.ok(found)
    const { id } = found
    const device = 'Firefox on Linux'
    const times = { createdAt: NOW, lastUsedAt: NOW, expiresAt: NOW + ACCOUNT_SESSION_MS }
    assert.deepEqual(found, { id, account, device, ...times })
    assert.equal(await accountSessions.find(['other'], NOW), null)
    assert.equal(await accountSessions.find([], NOW), null)
    assert.equal(await accountSessions.find(['hash'], NOW + ACCOUNT_SESSION_MS), null)

    const used = NOW + ACCOUNT_SESSION_MS - 1
    await accountSessions.slide(id, used, used + ACCOUNT_SESSION_MS)
    const slid = { ...found, lastUsedAt: used, expiresAt: used + ACCOUNT_SESSION_MS }
    assert.deepEqual(await accountSessions.find(['hash'], NOW + ACCOUNT_SESSION_MS), slid)
    await accountSessions.slide(id, slid.expiresAt, slid.expiresAt + 1)
    assert.equal(
      await accountSessions.find(['hash'], slid.expiresAt),
      null,
      'an expired session is not extended',
    )

    await stores.accounts.setTier(account.id, 'pro')
    assert.equal((await accountSessions.find(['hash'], used))?.account.tier, 'pro')
  })

  test(`[${engine}] only its own account can end a session; all sessions of an account can be ended`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { accountSessions } = stores
    const ada = await stores.accounts.signIn(googleProfile('ada'), NOW)
    const eve = await stores.accounts.signIn(googleProfile('eve'), NOW)
    for (const [index, hash] of ['a', 'b', 'c'].entries()) {
      await accountSessions.add(session(hash, ada.id, NOW + index, NOW + 50))
    }
    await accountSessions.add(session('old', ada.id, NOW, NOW + 5))
    await accountSessions.add(session('hers', eve.id, NOW, NOW + 50))
    const [c, b, a] = await accountSessions.listByAccount(ada.id, NOW + 10)
    assert.deepEqual([c?.createdAt, b?.createdAt, a?.createdAt], [NOW + 2, NOW + 1, NOW])
    await accountSessions.slide(a?.id ?? 0, NOW + 9, NOW + 60)
    assert.deepEqual(
      (await accountSessions.listByAccount(ada.id, NOW + 10)).map(({ id }) => id),
      [a?.id, c?.id, b?.id],
    )

    await accountSessions.end(eve.id, b?.id ?? 0)
    assert.notEqual(await accountSessions.find(['b'], NOW), null)
    await accountSessions.end(ada.id, b?.id ?? 0)
    assert.equal(await accountSessions.find(['b'], NOW), null)
    assert.equal((await accountSessions.listByAccount(ada.id, NOW + 10)).length, 2)
    await accountSessions.endAll(ada.id)
    assert.deepEqual(await accountSessions.listByAccount(ada.id, NOW), [])
    assert.equal((await accountSessions.listByAccount(eve.id, NOW)).length, 1)
  })

  test(`[${engine}] expired account sessions and sign-ins are swept`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { id } = await stores.accounts.signIn(googleProfile('ada'), NOW)
    for (let index = 0; index < 3; index += 1) {
      await stores.accountSessions.add(session(`hash-${index}`, id, NOW, NOW + 10))
      await stores.accountSignIns.add({ ...signIn, id: `account_${index}`, expiresAt: NOW + 10 })
    }
    await stores.accountSessions.add(session('later', id, NOW, NOW + 11))
    await stores.accountSignIns.add({ ...signIn, id: 'account_later', expiresAt: NOW + 11 })
    for (const store of [stores.accountSessions, stores.accountSignIns]) {
      assert.equal(await store.sweep(NOW + 9, 10), 0)
      assert.equal(await store.sweep(NOW + 10, 2), 2)
      assert.equal(await store.sweep(NOW + 10, 2), 1)
      assert.equal(await store.sweep(NOW + 10, 2), 0)
    }
    assert.notEqual(await stores.accountSessions.find(['later'], NOW), null)
    assert.notEqual(await stores.accountSignIns.take('account_later', NOW), null)
  })

  test(`[${engine}] a sign-in is taken once, before it expires`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { accountSignIns } = stores
    await accountSignIns.add(signIn)
    await accountSignIns.add({ ...signIn, id: 'account_2' })
    assert.equal(await accountSignIns.take('account_1', signIn.expiresAt), null)
    assert.deepEqual(await accountSignIns.take('account_1', signIn.expiresAt - 1), signIn)
    assert.equal(await accountSignIns.take('account_1', NOW), null)
    assert.equal(await accountSignIns.take('account_3', NOW), null)
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => accountSignIns.take('account_2', NOW)),
    )
    assert.equal(taken.filter((each) => each !== null).length, 1)
  })
}
