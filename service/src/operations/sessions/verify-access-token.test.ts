import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../domain/api-error.ts'
import { requireRunning, verifyAccessToken } from './verify-access-token.ts'

test('with a stale revocation feed every token is 503, before it is read', () => {
  const fail = () => assert.fail('the token was read')
  const ctx = {
    isRevocationFeedStale: () => true,
    accessTokens: { read: fail },
    now: fail,
    revocations: {},
  }
  const verify = () =>
    verifyAccessToken(ctx as unknown as Parameters<typeof verifyAccessToken>[0], {
      tenantId: '',
      accessToken: '',
    })
  assert.throws(verify, Unavailable)
})

test('an authentic token of a paused or suspended tenant is refused with the reason, any other result is not', () => {
  assert.throws(() => requireRunning({ outcome: 'paused' }), { code: 'tenantPaused' })
  assert.throws(() => requireRunning({ outcome: 'suspended' }), { code: 'tenantSuspended' })
  for (const outcome of ['invalid', 'unrecognized'] as const) {
    assert.doesNotThrow(() => requireRunning({ outcome }))
  }
})
