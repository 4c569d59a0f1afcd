import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CHALLENGE, type OpenIdRequest } from '../issuer/openid-request.ts'
import { challengeOf } from '../oauth/token.ts'
import {
  type CodeProof,
  isProven,
  isRepeatedExchange,
  type LoginCode,
  type PresentedCode,
} from './login-code.ts'

const USED = 1_800_000_000_000
const verifier = 'v'.repeat(43)
const code: LoginCode = {
  hash: 'hash',
  userId: 1,
  openId: null,
  challenge: challengeOf(verifier),
  redirectUri: 'https://app.example.com/cb',
  expiresAt: USED + 60_000,
  usedAt: USED,
  sessionId: 7,
}
const session = { generation: 1, idempotencyHash: 'hash of the key' }
const presented: PresentedCode = {
  proof: { kind: 'verifier', verifier },
  idempotencyHashes: ['hash of the key'],
}

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
  assert.equal(
    isRepeated({}, session, {
      ...presented,
      proof: { kind: 'verifier', verifier: 'w'.repeat(43) },
    }),
    false,
  )
  assert.equal(
    isRepeated({}, session, { ...presented, idempotencyHashes: ['hash of another'] }),
    false,
  )
  assert.equal(isRepeated({}, session, { ...presented, idempotencyHashes: [] }), false)
})

const openId: OpenIdRequest = {
  redirectUri: 'https://app.example.com/cb',
  state: 's',
  nonce: null,
  scope: 'openid',
  asksConsent: false,
}
const atTokenEndpoint = (changes: Partial<CodeProof & { kind: 'openid' }>): CodeProof => ({
  kind: 'openid',
  redirectUri: openId.redirectUri,
  verifier: null,
  hasKey: false,
  ...changes,
})

// proves S133
test('a code with a challenge needs its verifier, one without needs the application key, and neither stands in for the other', () => {
  const withChallenge = { challenge: challengeOf(verifier), openId }
  const withoutChallenge = { challenge: NO_CHALLENGE, openId }
  for (const [presentedCode, proof, expected] of [
    [withChallenge, atTokenEndpoint({ verifier }), true],
    [withChallenge, atTokenEndpoint({ verifier, hasKey: true }), true],
    [withChallenge, atTokenEndpoint({ hasKey: true }), false],
    [withChallenge, atTokenEndpoint({ verifier: 'w'.repeat(43), hasKey: true }), false],
    [withoutChallenge, atTokenEndpoint({ hasKey: true }), true],
    [withoutChallenge, atTokenEndpoint({}), false],
    [withoutChallenge, atTokenEndpoint({ verifier, hasKey: true }), false],
    [withoutChallenge, atTokenEndpoint({ verifier: NO_CHALLENGE }), false],
    [withChallenge, atTokenEndpoint({ verifier, redirectUri: 'https://app.example.com/' }), false],
  ] as const) {
    assert.equal(isProven(presentedCode, proof), expected, JSON.stringify(proof))
  }
})

test('a code of an OpenID request is worthless at our own endpoint, and the other way round', () => {
  const challenge = challengeOf(verifier)
  assert.equal(isProven({ challenge, openId }, { kind: 'verifier', verifier }), false)
  assert.equal(isProven({ challenge, openId: null }, atTokenEndpoint({ verifier })), false)
})
