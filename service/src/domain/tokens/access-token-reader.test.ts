import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slow } from '../../../test/support/tags.ts'
import { signAccessToken } from './access-token.ts'
import { AccessTokenReader } from './access-token-reader.ts'
import { Keyring } from './keyring.ts'

const ISSUER = 'https://login.example.com'
const keyring = new Keyring([{ kid: 1, secret: new Uint8Array(32).fill(7) }])

const tokenFor = (id: number, tenant_id = 'a-tenant'): string =>
  signAccessToken(
    keyring,
    {
      iss: ISSUER,
      tenant_id,
      id,
      email: `${id}@example.com`,
      name: null,
      picture: null,
      sid: id,
      gen: 1,
      rid: 1,
    },
    1_800_000_000_000,
  )

test('an access token is cached when it is read the second time', () => {
  const reader = new AccessTokenReader(keyring, ISSUER)
  const token = tokenFor(1)
  assert.equal(reader.read('a-tenant', token)?.user.email, '1@example.com')
  assert.equal(reader.cached, 0)
  const second = reader.read('a-tenant', token)
  assert.equal(second?.user.email, '1@example.com')
  assert.equal(reader.cached, 1)
  assert.equal(reader.read('a-tenant', token), second)
  assert.equal(reader.cached, 1)
})

test('an invalid access token is never cached, and a cached one is not accepted for another tenant', () => {
  const reader = new AccessTokenReader(keyring, ISSUER)
  const token = tokenFor(1)
  reader.read('a-tenant', token)
  reader.read('a-tenant', token)
  assert.equal(reader.read('b-tenant', token), null)
  // The last character of 43 carries two bits that decoders ignore.
  const [head, , signature] = token.split('.')
  const payload = tokenFor(2).split('.')[1]
  const forged = [
    `${head}.${payload}.${signature}`,
    `${token}A`,
    token.slice(0, -1),
    token.replace('.', '.A'),
    'x',
    '',
    `${token.slice(0, -1)}B`,
  ]
  for (const each of forged) {
    assert.equal(reader.read('a-tenant', each), null, each)
  }
  assert.equal(reader.cached, 1)
})

test('the cache of access tokens is bounded, and tokens in use stay in it', () => {
  const reader = new AccessTokenReader(keyring, ISSUER, 10)
  const used = tokenFor(0)
  reader.read('a-tenant', used)
  const kept = reader.read('a-tenant', used)
  for (let id = 1; id <= 100; id++) {
    for (const _time of [1, 2]) {
      reader.read('a-tenant', tokenFor(id))
    }
    assert.equal(reader.read('a-tenant', used), kept, `after ${id} others`)
    assert.ok(reader.cached <= 20)
  }
})

test('a token that is read from the older half of the cache is counted once', () => {
  const reader = new AccessTokenReader(keyring, ISSUER, 2)
  for (const id of [1, 1, 2, 2, 3, 3, 1]) {
    reader.read('a-tenant', tokenFor(id))
  }
  assert.equal(reader.cached, 3)
})

test('an id that no tenant can have is rejected, however long it is', () => {
  const reader = new AccessTokenReader(keyring, ISSUER)
  assert.equal(reader.read('a'.repeat(2_000), tokenFor(1)), null)
})

test('ten thousand access tokens that are read in turn are all cached in the second round', {
  skip: slow,
}, () => {
  const reader = new AccessTokenReader(keyring, ISSUER)
  const tokens = Array.from({ length: 10_000 }, (_, id) => tokenFor(id))
  for (const token of tokens) {
    reader.read('a-tenant', token)
  }
  assert.equal(reader.cached, 0)
  for (const token of tokens) {
    reader.read('a-tenant', token)
  }
  assert.ok(reader.cached >= 9_990, `${reader.cached} are cached`)
})
