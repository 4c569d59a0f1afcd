import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from './accounts/account.ts'
import { type Attempt, REPEATED_START_MS } from './login/attempt.ts'
import type { Stores } from './stores/stores.ts'
import type { Tenant } from './tenants/tenant.ts'
import type { Instant } from './time.ts'

// The compiler checks these: an unused `@ts-expect-error` fails the type check.

/** Never called: only compiled. */
const mistakes = (
  stores: Stores,
  tenant: Tenant,
  account: Account,
  attempt: Attempt,
  now: Instant,
): unknown[] => [
  // @ts-expect-error a duration is not an instant
  stores.attempts.findUndecided(attempt, REPEATED_START_MS),
  // @ts-expect-error the instant and the account are swapped
  stores.ownership.claim(tenant.id, now, account.id),
  stores.attempts.findUndecided(attempt, now - REPEATED_START_MS),
]

test('a duration or an id passed as an instant does not compile', () => {
  assert.equal(typeof mistakes, 'function')
})
