import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claim, claimStatusAt, waitExpiry } from './claim.ts'

test('only a pending claim expires, and its wait token five minutes later', () => {
  const claim = { decision: 'pending', expiresAt: 1_000 } as Claim
  assert.deepEqual([claimStatusAt(claim, 999), claimStatusAt(claim, 1_000)], ['pending', 'expired'])
  assert.equal(claimStatusAt({ ...claim, decision: 'approved' }, 1_000), 'approved')
  assert.equal(waitExpiry(claim), 301_000)
})
