import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatableUntil } from '../../../src/domain/repeated-decision.ts'
import type { OAuthTokenStore } from '../../../src/domain/stores/oauth.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { approval, grantOf } from '../../support/postgres/oauth-rows.ts'
import { googleProfile, NOW, openTestStorage, raw } from '../../support/postgres/storage.ts'

const GUEST = { kind: 'guest', guestHash: 'guest' } as const

const issue = (tokens: OAuthTokenStore, grantId: number, name: string, expiresAt = NOW + 50) =>
  tokens.issue(
    grantId,
    { hash: `access-${name}`, scopes: ['mcp:tenant:read'], expiresAt },
    { hash: `refresh-${name}`, expiresAt: expiresAt + 10 },
  )

for (const engine of ENGINES) {
  test(`[${engine}] an authorization request is decided once, before it expires, in the browser that sent it`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const { oauthApprovals } = one.stores
    await oauthApprovals.add('hash', approval())
    await oauthApprovals.add('plain', approval({ state: null, accountRequired: false }))
    assert.deepEqual(await oauthApprovals.find(['other', 'hash']), approval())
    assert.deepEqual(
      await oauthApprovals.find(['plain']),
      approval({ state: null, accountRequired: false }),
    )
    assert.equal(await oauthApprovals.find(['other']), null)
    assert.equal(await oauthApprovals.find([]), null)

    assert.equal(await oauthApprovals.decide(['hash'], ['other'], 'allowed', NOW), null)
    assert.equal(await oauthApprovals.decide(['hash'], [], 'allowed', NOW), null)
    assert.equal(await oauthApprovals.decide(['other'], ['browser'], 'allowed', NOW), null)
    assert.equal(await oauthApprovals.decide(['hash'], ['browser'], 'allowed', NOW + 10), null)
    const kept = repeatableUntil(NOW + 9)
    const decided = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).stores.oauthApprovals.decide(
          ['hash', 'older'],
          ['browser', 'older'],
          'allowed',
          NOW + 9,
        ),
      ),
    )
    assert.deepEqual(
      decided.filter((each) => each !== null),
      [approval({ decision: 'allowed', decidedAt: NOW + 9, expiresAt: kept })],
    )
    assert.equal((await oauthApprovals.find(['hash']))?.decidedAt, NOW + 9)
    assert.equal(await oauthApprovals.sweep(NOW + 9, 5), 0)
    assert.equal(await oauthApprovals.sweep(NOW + 10, 5), 1)
    assert.equal(
      await oauthApprovals.sweep(kept - 1, 5),
      0,
      'kept as long as the decision can be repeated',
    )
    assert.equal(await oauthApprovals.sweep(kept, 5), 1)
  })

  test(`[${engine}] a grant acts for an account or a guest; the database rejects both and none`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { id: accountId } = await stores.accounts.signIn(googleProfile('ada'), NOW)
    const owned = await stores.oauthGrants.add(grantOf({ kind: 'account', accountId }))
    const guests = await stores.oauthGrants.add(grantOf(GUEST))
    for (const [id, subject] of [
      [owned, { kind: 'account', accountId }],
      [guests, GUEST],
    ] as const) {
      await issue(stores.oauthTokens, id, String(id))
      const { endsAt: _, ...rest } = grantOf(subject)
      assert.deepEqual(await stores.oauthTokens.findGrant([`access-${id}`], NOW), {
        ...rest,
        id,
        scopes: ['mcp:tenant:read'],
        lastUsedAt: NOW,
      })
      const refresh = await stores.oauthTokens.findRefresh([`refresh-${id}`])
      assert.deepEqual(
        refresh?.grant,
        { ...rest, id, lastUsedAt: NOW },
        'the refresh token has all scopes of the grant',
      )
    }
    await assert.rejects(
      raw(database, `update oauth_grants set account_id = ${accountId} where id = ${guests}`),
    )
    await assert.rejects(
      raw(database, `update oauth_grants set guest_hash = null where id = ${guests}`),
    )
  })

  test(`[${engine}] of many concurrent uses of a code or refresh token on two instances, exactly one succeeds`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    const id = await one.stores.oauthGrants.add(grantOf(GUEST))
    await one.stores.oauthCodes.add(
      'code',
      { redirectUri: 'r', challenge: 'c', expiresAt: NOW + 10 },
      id,
    )
    await issue(one.stores.oauthTokens, id, 'a')
    const both = (index: number) => (index % 2 === 0 ? one : two).stores
    const codes = await Promise.all(
      Array.from({ length: 16 }, (_, at) => both(at).oauthCodes.use('code', NOW)),
    )
    assert.equal(codes.filter(Boolean).length, 1)
    const refreshes = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        both(at).transaction((open) => open.oauthTokens.useRefresh('refresh-a', NOW)),
      ),
    )
    assert.equal(refreshes.filter(Boolean).length, 1)
    assert.equal(
      (await one.stores.oauthCodes.find(['code']))?.usedAt,
      NOW,
      'the code is still stored',
    )
    assert.equal((await two.stores.oauthTokens.findRefresh(['refresh-a']))?.usedAt, NOW)

    await one.stores.oauthCodes.add(
      'late',
      { redirectUri: 'r', challenge: 'c', expiresAt: NOW + 10 },
      id,
    )
    assert.equal(await one.stores.oauthCodes.use('late', NOW + 10), false)
    await issue(one.stores.oauthTokens, id, 'b', NOW + 1)
    assert.equal(await one.stores.oauthTokens.useRefresh('refresh-b', NOW + 11), false)
    assert.equal(await one.stores.oauthTokens.useRefresh('nothing', NOW), false)
  })

  test(`[${engine}] a new token pair leaves earlier access tokens valid, and an ended grant cannot be extended`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { oauthTokens, oauthGrants } = stores
    const id = await oauthGrants.add(grantOf(GUEST))
    const other = await oauthGrants.add(grantOf(GUEST))
    await issue(oauthTokens, id, 'a')
    await issue(oauthTokens, other, 'other')
    await issue(oauthTokens, id, 'b')
    assert.equal((await oauthTokens.findGrant(['access-a'], NOW))?.id, id)
    assert.equal((await oauthTokens.findGrant(['access-b'], NOW))?.id, id)
    assert.equal((await oauthTokens.findGrant(['access-other'], NOW))?.id, other)
    assert.equal(await oauthTokens.findGrant(['access-b'], NOW + 50), null, 'expired')
    assert.equal((await oauthTokens.findGrantIgnoringExpiry(['access-b']))?.id, id)

    assert.equal(await oauthGrants.extend(id, NOW + 100, NOW + 59), true)
    assert.equal(await oauthGrants.extend(other, NOW + 100, NOW + 60), false, 'it had ended')
    await oauthGrants.revoke(id, NOW)
    for (const hash of ['access-a', 'access-b']) {
      assert.equal(await oauthTokens.findGrant([hash], NOW), null)
    }
    assert.equal(await oauthGrants.extend(id, NOW + 100, NOW), false)
    assert.equal((await oauthTokens.findGrant(['access-other'], NOW))?.id, other)
  })

  test(`[${engine}] an account lists and revokes only its own grants`, async (t) => {
    const { stores } = await openTestStorage(t, engine)
    const { oauthGrants } = stores
    const { id: ada } = await stores.accounts.signIn(googleProfile('ada'), NOW)
    const { id: eve } = await stores.accounts.signIn(googleProfile('eve'), NOW)
    const first = await oauthGrants.add(grantOf({ kind: 'account', accountId: ada }))
    const second = await oauthGrants.add(grantOf({ kind: 'account', accountId: ada }))
    await oauthGrants.add(grantOf({ kind: 'account', accountId: ada }, { endsAt: NOW + 5 }))
    const hers = await oauthGrants.add(grantOf({ kind: 'account', accountId: eve }))
    await oauthGrants.add(grantOf(GUEST))
    const ids = async (account: number) =>
      (await oauthGrants.listByAccount(account, NOW + 10)).map(({ id }) => id)
    assert.deepEqual(await ids(ada), [second, first])
    await oauthGrants.touch(first, NOW + 9, NOW)
    await oauthGrants.touch(second, NOW + 10, NOW - 1)
    assert.deepEqual(await ids(ada), [first, second], 'the last used first')
    assert.equal(await oauthGrants.revokeForAccount(eve, first, NOW + 10), false)
    assert.equal(await oauthGrants.revokeForAccount(ada, first, NOW + 10), true)
    assert.equal(await oauthGrants.revokeForAccount(ada, first, NOW + 10), false)
    assert.deepEqual([await ids(ada), await ids(eve)], [[second], [hers]])
  })

  test(`[${engine}] ended grants are swept with their codes and tokens, and no others`, async (t) => {
    const { stores, database } = await openTestStorage(t, engine)
    const { oauthTokens, oauthGrants, oauthCodes } = stores
    const ids: number[] = []
    for (const [index, endsAt] of [NOW + 10, NOW + 10, NOW + 10, NOW + 11].entries()) {
      const id = await oauthGrants.add(grantOf(GUEST, { endsAt }))
      ids.push(id)
      await oauthCodes.add(
        `code-${index}`,
        { redirectUri: 'r', challenge: 'c', expiresAt: endsAt },
        id,
      )
      await issue(oauthTokens, id, String(index), NOW + 500)
    }
    assert.equal(await oauthGrants.sweep(NOW + 9, 10), 0)
    assert.equal(await oauthGrants.sweep(NOW + 10, 2), 2)
    assert.equal(await oauthGrants.sweep(NOW + 10, 2), 1)
    for (const table of ['oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens']) {
      const rows = await raw(database, `select grant_id from ${table}`)
      assert.deepEqual(
        rows.map(({ grant_id }) => Number(grant_id)),
        [ids[3]],
        table,
      )
    }
    assert.equal(await oauthTokens.sweep(NOW + 499, 10), 0)
    assert.equal(await oauthTokens.sweep(NOW + 500, 10), 1)
    assert.equal(await oauthTokens.sweep(NOW + 510, 10), 1)
    await oauthGrants.revoke(ids[3] ?? 0, NOW)
    assert.equal(await oauthGrants.sweep(NOW, 10), 1, 'a revoked grant at once')
  })
}
