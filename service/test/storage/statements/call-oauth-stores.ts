// For query-plans.test.ts: calls every method of the authorization server's stores.
import { approval, grantOf, NOW } from '../../support/postgres/oauth-rows.ts'
import { googleProfile, type TestStorage } from '../../support/postgres/storage.ts'

export async function callOAuthStores({ stores }: TestStorage): Promise<void> {
  const account = await stores.accounts.signIn(googleProfile('ada'), NOW)
  await stores.oauthApprovals.add('approval', approval())
  await stores.oauthApprovals.find(['approval', 'other'])
  await stores.oauthApprovals.decide(['approval', 'other'], ['browser'], 'allowed', NOW)
  await stores.oauthApprovals.sweep(NOW, 10)

  const id = await stores.oauthGrants.add(grantOf({ kind: 'account', accountId: account.id }))
  await stores.oauthCodes.add('code', { redirectUri: 'r', challenge: 'c', expiresAt: NOW + 1 }, id)
  await stores.oauthCodes.find(['code', 'other'])
  await stores.oauthCodes.use('code', NOW)
  await stores.oauthTokens.issueAccess(id, { hash: 'another', scopes: [], expiresAt: NOW })
  await stores.oauthTokens.issue(
    id,
    { hash: 'access', scopes: [], expiresAt: NOW + 1 },
    { hash: 'refresh', expiresAt: NOW + 1 },
  )
  await stores.oauthTokens.findGrant(['access', 'other'], NOW)
  await stores.oauthTokens.findGrantIgnoringExpiry(['access', 'other'])
  await stores.oauthTokens.findRefresh(['refresh', 'other'])
  await stores.oauthTokens.useRefresh('refresh', NOW)
  await stores.oauthTokens.sweep(NOW, 10)
  await stores.oauthGrants.extend(id, NOW + 2, NOW)
  await stores.oauthGrants.touch(id, NOW, NOW)
  await stores.oauthGrants.listByAccount(account.id, NOW)
  await stores.oauthGrants.revokeForAccount(account.id, id, NOW)
  await stores.oauthGrants.revoke(id, NOW)
  await stores.oauthGrants.sweep(NOW, 10)
}
