import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../../../test/support/generated.ts'
import { readAccessToken, signAccessToken, type TokenSubject } from './access-token.ts'
import { Keyring } from './keyring.ts'
import {
  mintRefreshToken,
  type RefreshTokenFields,
  readRefreshToken,
  SALT_BYTES,
} from './refresh-token.ts'

const ISSUER = 'https://login.example.com'
const TENANT = 'swift-fox-running-k3qd7'
const keyring = new Keyring([
  { kid: 2, secret: new Uint8Array(32).fill(2) },
  { kid: 1, secret: new Uint8Array(32).fill(1) },
])
const otherKeyring = new Keyring([{ kid: 2, secret: new Uint8Array(32).fill(3) }])

const subject: fc.Arbitrary<TokenSubject> = fc.record(
  {
    iss: fc.constant(ISSUER),
    tenant_id: fc.constant(TENANT),
    id: fc.nat(),
    email: fc.string(),
    name: fc.option(fc.string()),
    picture: fc.option(fc.string()),
    sid: fc.nat(),
    gen: fc.nat(),
    rid: fc.nat(),
  },
  { noNullPrototype: true },
)
const refreshFields: fc.Arbitrary<RefreshTokenFields> = fc.record(
  {
    sessionId: fc.maxSafeNat().map((id) => id % 2 ** 48),
    generation: fc.nat(),
    salt: fc.uint8Array({ minLength: SALT_BYTES, maxLength: SALT_BYTES }),
  },
  { noNullPrototype: true },
)

/** One character changed into another, put in, or taken out. */
const change = fc.record({
  at: fc.nat(),
  by: fc.constantFrom('replace', 'insert', 'remove'),
  text: fc.string({ minLength: 1, maxLength: 1 }),
})
function changed(
  token: string,
  { at, by, text }: { at: number; by: string; text: string },
): string {
  const index = at % token.length
  if (by === 'insert') {
    return token.slice(0, index) + text + token.slice(index)
  }
  return token.slice(0, index) + (by === 'replace' ? text : '') + token.slice(index + 1)
}

// proves S006, ASVS 9.2.3
test('an access token returns the signed claims for its own tenant and issuer only', () => {
  fc.assert(
    fc.property(subject, fc.nat({ max: 4_000_000_000 }), (claims, seconds) => {
      const token = signAccessToken(keyring, claims, seconds * 1_000)
      const { iat, exp, ...read } =
        readAccessToken(keyring, ISSUER, TENANT, token) ?? assert.fail('it is ours')
      assert.deepEqual(read, claims)
      assert.equal(exp - iat, 3_600)
      assert.equal(readAccessToken(keyring, ISSUER, `${TENANT}a`, token), null)
      assert.equal(readAccessToken(keyring, 'https://evil.test', TENANT, token), null)
      assert.equal(readAccessToken(otherKeyring, ISSUER, TENANT, token), null)
    }),
    { numRuns: 100 },
  )
})

// proves ASVS 9.1.1
test('an access token with any one character changed is rejected without an exception', () => {
  fc.assert(
    fc.property(subject, fc.array(change, { minLength: 20, maxLength: 20 }), (claims, changes) => {
      const token = signAccessToken(keyring, claims, 0)
      for (const each of changes) {
        const other = changed(token, each)
        if (other !== token) {
          assert.equal(readAccessToken(keyring, ISSUER, TENANT, other), null, other)
        }
      }
    }),
    { numRuns: 100 },
  )
})

/** A token signed by an attacker who has the key of one tenant. */
function signedBy(keyOf: string, header: object, claims: object): string {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = keyring.derive(2, `access-token|v1|${keyOf}`) ?? assert.fail('there is a key')
  return `${signed}.${createHmac('sha256', key.secret).update(signed).digest('base64url')}`
}

test('a token with a valid signature is accepted only with the exact header and for the tenant of the key', () => {
  const header = { alg: 'HS256', typ: 'JWT', kid: '2' }
  const user = { id: 1, email: 'ada@example.com', name: null, picture: null }
  const claims = {
    iss: ISSUER,
    tenant_id: TENANT,
    ...user,
    sid: 1,
    gen: 1,
    rid: 1,
    iat: 0,
    exp: 3_600,
  }
  assert.ok(
    readAccessToken(keyring, ISSUER, TENANT, signedBy(TENANT, header, claims)),
    'the control case is accepted',
  )
  const others: fc.Arbitrary<object> = fc.record(
    {
      alg: fc.string(),
      typ: fc.string(),
      kid: fc.string(),
      jku: fc.constant('https://evil.test/keys'),
      crit: fc.constant(['exp']),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(others, (other) => {
      assert.equal(
        readAccessToken(
          keyring,
          ISSUER,
          TENANT,
          signedBy(TENANT, { ...header, ...other, x: 1 }, claims),
        ),
        null,
      )
      assert.equal(readAccessToken(keyring, ISSUER, TENANT, signedBy(TENANT, other, claims)), null)
    }),
    { numRuns: 100 },
  )
  const otherTenant = 'calm-owl-resting-x2mq9'
  assert.equal(
    readAccessToken(
      keyring,
      ISSUER,
      otherTenant,
      signedBy(TENANT, header, { ...claims, tenant_id: otherTenant }),
    ),
    null,
  )
  assert.equal(
    readAccessToken(keyring, ISSUER, otherTenant, signedBy(otherTenant, header, claims)),
    null,
  )
})

test('a refresh token returns its fields for its own tenant only', () => {
  fc.assert(
    fc.property(refreshFields, (fields) => {
      const token = mintRefreshToken(keyring, TENANT, fields)
      const read = readRefreshToken(keyring, TENANT, token)
      assert.deepEqual(read && { ...read, salt: [...read.salt] }, {
        ...fields,
        salt: [...fields.salt],
      })
      assert.equal(readRefreshToken(keyring, `${TENANT}a`, token), null)
      assert.equal(readRefreshToken(otherKeyring, TENANT, token), null)
    }),
    { numRuns: 200 },
  )
})

test('a refresh token with any one character or bit changed is rejected without an exception', () => {
  fc.assert(
    fc.property(
      refreshFields,
      fc.array(change, { minLength: 20, maxLength: 20 }),
      fc.nat(),
      (fields, changes, bit) => {
        const token = mintRefreshToken(keyring, TENANT, fields)
        const bytes = Buffer.from(token.slice('svc_rt_'.length), 'base64url')
        const at = bit % (bytes.length * 8)
        bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7))
        const flipped = `svc_rt_${bytes.toString('base64url')}`
        for (const other of [flipped, ...changes.map((each) => changed(token, each))]) {
          if (other !== token) {
            assert.equal(readRefreshToken(keyring, TENANT, other), null, other)
          }
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('of the texts that decode to the bytes of a refresh token, only the one that was issued is accepted', () => {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  fc.assert(
    fc.property(refreshFields, (fields) => {
      const token = mintRefreshToken(keyring, TENANT, fields)
      const bytesOf = (text: string): string =>
        Buffer.from(text.slice('svc_rt_'.length), 'base64url').toString('hex')
      const same = [...characters]
        .map((last) => token.slice(0, -1) + last)
        .filter((each) => bytesOf(each) === bytesOf(token))
      assert.equal(same.length, 4, 'two bits of the last character are unused')
      assert.deepEqual(
        same.filter((each) => readRefreshToken(keyring, TENANT, each) !== null),
        [token],
      )
    }),
    { numRuns: 50 },
  )
})

test('no other text is accepted as a token, and none makes the parser throw', () => {
  const dotted = fc.array(fc.base64String(), { maxLength: 5 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        dotted,
        fc.base64String().map((text) => `svc_rt_${text}`),
      ),
      (text) => {
        assert.equal(readAccessToken(keyring, ISSUER, TENANT, text), null)
        assert.equal(readRefreshToken(keyring, TENANT, text), null)
      },
    ),
    { numRuns: 1_000 },
  )
})
