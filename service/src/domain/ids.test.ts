import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from './accounts/account.ts'
import type { Claim } from './claims/claim.ts'
import type { AttemptId, TenantId } from './ids.ts'
import type { Attempt } from './login/attempt.ts'
import type { Grant } from './oauth/grant.ts'
import type { Session } from './sessions/session.ts'
import type { Resource, Stores } from './stores/stores.ts'
import type { Tenant } from './tenants/tenant.ts'

// The compiler checks these: an unused `@ts-expect-error` fails the type check.

interface Known {
  readonly tenant: Tenant
  readonly account: Account
  readonly grant: Grant
  readonly claim: Claim
  readonly attempt: Attempt
  readonly resource: Resource
  readonly session: Session
}

/** Never called: only compiled. */
function mistakes(stores: Stores, known: Known, now: number): unknown[] {
  const { tenant, account, grant, claim, attempt, resource, session } = known
  return [
    // @ts-expect-error the account and the tenant are swapped
    stores.ownership.claim(account.id, tenant.id, now),
    // @ts-expect-error the account and the grant are swapped
    stores.oauthGrants.revokeForAccount(grant.id, account.id, now),
    // @ts-expect-error a claim is not decided by itself
    stores.claims.decide(claim.id, 'approved', claim.id, now),
    // @ts-expect-error a login attempt is not a tenant
    stores.tenants.find(attempt.id),
    // @ts-expect-error a session of an app is not a session of an account
    stores.accountSessions.end(account.id, session.id),
    // @ts-expect-error a session is not a user
    stores.users.find(resource, session.id),
    // @ts-expect-error a user is not a resource
    stores.resources.purge(tenant.id, session.userId, 1),
    stores.ownership.claim(tenant.id, account.id, now),
  ]
}

test('an id passed where an id of another kind belongs does not compile', () => {
  assert.equal(typeof mistakes, 'function')
})

test('an id read from a row or a request needs no constructor', () => {
  const read: { readonly tenant: TenantId; readonly attempt: AttemptId } = {
    tenant: 'swift-fox',
    attempt: 'abc',
  }
  assert.deepEqual(read, { tenant: 'swift-fox', attempt: 'abc' })
})
