import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifySpentToken, type Presented } from './replay.ts'
import type { Session } from './session.ts'

const ROTATED = 1_800_000_000_000
const SECOND = 1_000
const HOUR = 3_600 * SECOND

const session: Session = {
  id: 7,
  userId: 1,
  salt: new Uint8Array(16),
  generation: 5,
  createdAt: ROTATED - HOUR,
  rotatedAt: ROTATED,
  expiresAt: ROTATED + 30 * 24 * HOUR,
  absoluteExpiresAt: ROTATED + 365 * 24 * HOUR,
  idempotencyHash: 'hash of the key',
  late: null,
}
const withKey: Presented = {
  generation: 4,
  idempotencyKey: 'gh1_key',
  idempotencyHashes: ['hash of the key'],
}
const withoutKey: Presented = { generation: 4, idempotencyKey: null, idempotencyHashes: [] }
const kindAfter = (
  ms: number,
  presented: Presented,
  changes: Partial<Session> = {},
  leewaySeconds = 0,
): string =>
  classifySpentToken({ ...session, ...changes }, presented, leewaySeconds, ROTATED + ms).kind

test('the loser of a race is tolerated for ten seconds, the last one included', () => {
  assert.equal(kindAfter(0, withoutKey), 'superseded')
  assert.equal(kindAfter(10 * SECOND, withoutKey), 'superseded')
  assert.equal(kindAfter(10 * SECOND + 1, withoutKey), 'reused')
})

test('only the direct predecessor of the current refresh token is anything but reused', () => {
  for (const generation of [3, 5, 6]) {
    assert.equal(kindAfter(0, { ...withKey, generation }), 'reused')
  }
})

test('the same key repeats a refresh for a minute; another key, or none on either side, does not', () => {
  assert.equal(kindAfter(60 * SECOND, withKey), 'repeat')
  assert.equal(
    kindAfter(60 * SECOND, { ...withKey, idempotencyHashes: ['hash of another'] }),
    'reused',
  )
  assert.equal(kindAfter(60 * SECOND, withoutKey, { idempotencyHash: null }), 'reused')
})

test('the leeway of a resource repeats a refresh without a key, the last second included', () => {
  assert.equal(kindAfter(30 * SECOND, withoutKey, {}, 30), 'repeat')
  assert.equal(kindAfter(30 * SECOND + 1, withoutKey, {}, 30), 'reused')
})

test('a bound key repeats a refresh for 24 hours, unless the generation before was repeated late as well', () => {
  const until = ROTATED + 24 * HOUR
  assert.deepEqual(classifySpentToken(session, withKey, 0, until), { kind: 'late', until })
  assert.equal(kindAfter(24 * HOUR + 1, withKey), 'reused')
  assert.equal(kindAfter(HOUR, { ...withKey, idempotencyKey: 'an-app-key' }), 'reused')
  assert.equal(kindAfter(HOUR, withKey, { late: { generation: 4, until } }), 'reused')
  assert.equal(kindAfter(HOUR, withKey, { late: { generation: 3, until } }), 'late')
  assert.equal(
    kindAfter(HOUR + 1, withKey, { late: { generation: 5, until: ROTATED + HOUR } }),
    'reused',
  )
})
