import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import type { AccessTokenClaims } from './access-token.ts'
import { deriveIdTokenKey, IdTokens, p256Scalar, publishedKids, signingKid } from './id-token.ts'
import { Keyring } from './keyring.ts'

const keyring = new Keyring([{ kid: 1, secret: new Uint8Array(32).fill(1) }])
const TENANT = 'swift-fox-running-k3qd7'
const HOUR = 3_600_000

const bytes = (hex: string): Uint8Array => Buffer.from(hex.padStart(64, '0'), 'hex')
const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

// proves S119
test('the key of a tenant is always the same, and differs from that of any other tenant and master key', () => {
  const { publicKey, privateKey } = deriveIdTokenKey(keyring, 1, TENANT)
  // A change of the derivation would make every published key, and every token, another one.
  assert.deepEqual(publicKey, {
    crv: 'P-256',
    kty: 'EC',
    x: '2qNbGtYfw2yy19MQw26Dl2PDm8ppwPNQ8NzrBYTiWnQ',
    y: 'YzJxnvi_T4WVIcHco5tXmhiZW7QokeuLx9molFTZY8k',
    kid: 'QzjnVHZPzSikaF5ghWfw76i38dWYAnN_6W0IfUiIBK0',
    alg: 'ES256',
    use: 'sig',
  })
  assert.equal(
    privateKey.export({ format: 'jwk' }).d,
    'kqyp9UjvfnY3fy2yu1V9At-WBMTXCNCj2D-Xpww0cJQ',
  )
  const others = [
    deriveIdTokenKey(keyring, 1, 'calm-owl-reading-x2m9p'),
    deriveIdTokenKey(new Keyring([{ kid: 1, secret: new Uint8Array(32).fill(2) }]), 1, TENANT),
  ]
  assert.equal(
    new Set([publicKey, ...others.map((other) => other.publicKey)].map(({ x }) => x)).size,
    3,
  )
  assert.throws(() => deriveIdTokenKey(keyring, 2, TENANT), /No master key 2/)
})

// proves S119
test('a scalar is between 1 and the order of the curve, by rejection', () => {
  const candidates = ['0', ORDER, 'f'.repeat(64), ORDER.replace(/1$/, '0'), '1']
  const tried: number[] = []
  const scalar = p256Scalar((attempt) => {
    tried.push(attempt)
    return bytes(candidates[attempt] ?? '')
  })
  assert.deepEqual([tried, scalar], [[0, 1, 2, 3], bytes(ORDER.replace(/1$/, '0'))])
  assert.deepEqual(
    p256Scalar(() => bytes('1')),
    bytes('1'),
  )
})

// proves S120
test('a new master key is published an hour before it signs, and the old one an hour after', () => {
  const [old, added] = [
    { kid: 1, addedAt: 0 },
    { kid: 2, addedAt: 100 * HOUR },
  ]
  const at = (now: number) => [signingKid([added, old], now), publishedKids([added, old], now)]
  assert.deepEqual(at(100 * HOUR), [1, [1, 2]])
  assert.deepEqual(at(101 * HOUR - 1), [1, [1, 2]])
  assert.deepEqual(at(101 * HOUR), [2, [1, 2]])
  assert.deepEqual(at(102 * HOUR - 1), [2, [1, 2]])
  assert.deepEqual(at(102 * HOUR), [2, [2]])
  // The order in the key file is that of access tokens, and instances may differ in it during a rotation.
  assert.deepEqual(
    [signingKid([old, added], 101 * HOUR), publishedKids([old, added], 102 * HOUR)],
    [2, [2]],
  )
  // Neither do their numbers say which is newer.
  const restored = [{ ...old, kid: 9 }, added]
  assert.deepEqual(
    [signingKid(restored, 101 * HOUR), publishedKids(restored, 102 * HOUR)],
    [2, [2]],
  )
})

test('the first key of a database signs at once, and two rotations in an hour skip no key', () => {
  assert.deepEqual(
    [signingKid([{ kid: 7, addedAt: HOUR }], 0), publishedKids([{ kid: 7, addedAt: HOUR }], 0)],
    [7, [7]],
  )
  const keys = [
    { kid: 1, addedAt: 0 },
    { kid: 2, addedAt: 10 * HOUR },
    { kid: 3, addedAt: 10.5 * HOUR },
  ]
  const at = (now: number) => [signingKid(keys, now), publishedKids(keys, now)]
  assert.deepEqual(at(10.9 * HOUR), [1, [1, 2, 3]])
  assert.deepEqual(at(11 * HOUR), [2, [1, 2, 3]])
  assert.deepEqual(at(11.5 * HOUR), [3, [1, 2, 3]])
  assert.deepEqual(at(12 * HOUR), [3, [2, 3]])
  assert.deepEqual(at(12.5 * HOUR), [3, [3]])
  const together = [
    { kid: 2, addedAt: 0 },
    { kid: 1, addedAt: 0 },
  ]
  assert.deepEqual([signingKid(together, HOUR - 1), signingKid(together, HOUR)], [1, 2])
})

const accessToken: AccessTokenClaims = {
  iss: 'https://login.example.com',
  tenant_id: TENANT,
  id: 7,
  email: 'ada@example.com',
  name: null,
  picture: null,
  sid: 41,
  gen: 3,
  rid: 1,
  iat: 1_000,
  exp: 4_600,
}
const input = { issuer: 'iss', audience: 'db', accessToken, signedInAt: 900_400, claims: [] }
const decode = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())

// proves S118
test('an ID token has the user, the audience and the claims, those of the user last, and no ids of ours', () => {
  const keys = new IdTokens(keyring)
  const claims = [
    { role: 'authenticated', plan: 'free' },
    { role: 'admin', sub: '1', iss: 'evil' },
  ]
  const { token, exp } = keys.issue({ ...input, claims }, 2_000_999)
  const [publicKey] = keys.publicKeys(TENANT, 0)
  assert.deepEqual(decode(token, 0), { alg: 'ES256', kid: publicKey?.kid, typ: 'JWT' })
  const { sid, ...payload } = decode(token, 1)
  assert.deepEqual(payload, {
    role: 'admin',
    plan: 'free',
    iss: 'iss',
    sub: `${TENANT}|7`,
    aud: 'db',
    iat: 2_000,
    exp: 2_300,
    auth_time: 900,
    email: 'ada@example.com',
    email_verified: true,
  })
  assert.match(sid, /^[\w-]{43}$/)
  assert.equal(exp, 2_300)
  const signed = token.slice(0, token.lastIndexOf('.'))
  const signature = Buffer.from(token.slice(signed.length + 1), 'base64url')
  const key = createPublicKey({ key: { ...publicKey }, format: 'jwk' })
  assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature))
})

test('an ID token ends with the access token, and its sid is that of the session under every master key', () => {
  const keys = new IdTokens(keyring)
  assert.equal(keys.issue(input, 4_500_000).exp, 4_600)
  const sid = (ring: Keyring, session = 41) =>
    decode(
      new IdTokens(ring).issue({ ...input, accessToken: { ...accessToken, sid: session } }, 0)
        .token,
      1,
    ).sid
  const rotated = new Keyring([{ kid: 2, secret: new Uint8Array(32).fill(2) }, keyring.current])
  assert.deepEqual([sid(rotated), sid(keyring) === sid(keyring, 42)], [sid(keyring), false])
})
