import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challengeOf } from '../oauth/token.ts'
import { isRepeatedExchange, type LoginCode, type PresentedCode } from './login-code.ts'

const USED = 1_800_000_000_000
const verifier = 'v'.repeat(43)
const code: LoginCode = {
  hash: 'hash',
  userId: 1,
  challenge: challengeOf(verifier),
  redirectUri: 'https://app.example.com/cb',
  expiresAt: USED + 60_000,
  usedAt: USED,
  sessionId: 7,
}
const session = { generation: 1, idempotencyHash: 'hash of the key' }
const presented: PresentedCode = { verifier, idempotencyHashes: ['hash of the key'] }

test('the app that exchanged a code may repeat the exchange for a minute, with its key and its verifier', () => {
  assert.equal(isRepeatedExchange(code, session, presented, USED), true)
  assert.equal(isRepeatedExchange(code, session, presented, USED + 60_000), true)
  assert.equal(isRepeatedExchange(code, session, presented, USED + 60_001), false)
})

test('an exchange is no repeat without its key or verifier, after a refresh, or of a code that was not used', () => {
  const isRepeated = (
    changed: Partial<LoginCode>,
    session_ = session,
    presented_ = presented,
  ): boolean => isRepeatedExchange({ ...code, ...changed }, session_, presented_, USED)
  assert.equal(isRepeated({ usedAt: null }), false)
  assert.equal(isRepeated({}, { ...session, generation: 2 }), false)
  assert.equal(isRepeated({}, session, { ...presented, verifier: 'w'.repeat(43) }), false)
  assert.equal(
    isRepeated({}, session, { ...presented, idempotencyHashes: ['hash of another'] }),
    false,
  )
  assert.equal(isRepeated({}, session, { ...presented, idempotencyHashes: [] }), false)
})
